#!lua flags=no-writes
-- Reads a battle as of one moment. KEYS: log, head, snapshot.
-- Returns {head, entries, snapshot}: the head in fields and values, empty when there is no battle, and
-- the snapshot as version and data, empty when there is none that fits the log.
local head = redis.call('HGETALL', KEYS[2])
if #head == 0 then return {head, {}, {}} end
local snapshot = redis.call('HMGET', KEYS[3], 'version', 'data')
local version = snapshot[1] and string.match(snapshot[1], '^%d+$')
if version and snapshot[2] and tonumber(version) <= tonumber(redis.call('HGET', KEYS[2], 'version')) then
  return {head, redis.call('XRANGE', KEYS[1], '(' .. version .. '-0', '+'), snapshot}
end
return {head, redis.call('XRANGE', KEYS[1], '-', '+'), {}}
