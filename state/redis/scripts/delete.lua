#!lua
-- Removes a battle. KEYS: log, head, commands, snapshot, battles, due. ARGV: id, channel.
-- Returns how many battles were removed.
if redis.call('EXISTS', KEYS[2]) == 0 then return 0 end
redis.call('DEL', KEYS[1], KEYS[2], KEYS[3], KEYS[4])
redis.call('ZREM', KEYS[5], ARGV[1])
redis.call('ZREM', KEYS[6], ARGV[1])
redis.call('PUBLISH', ARGV[2], 'deleted')
return 1
