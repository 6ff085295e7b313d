#!lua flags=no-writes
-- Finds the entry of a command. KEYS: log, commands. ARGV: command. Returns the entries found.
local version = redis.call('HGET', KEYS[2], ARGV[1])
if not version then return {} end
return redis.call('XRANGE', KEYS[1], version .. '-0', version .. '-0')
