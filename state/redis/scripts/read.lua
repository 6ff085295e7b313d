#!lua flags=no-writes
-- Reads entries after a version. KEYS: log, head. ARGV: after, limit.
-- Returns {head version, entries}, or {} when there is no battle.
local version = redis.call('HGET', KEYS[2], 'version')
if not version then return {} end
return {version, redis.call('XRANGE', KEYS[1], '(' .. ARGV[1] .. '-0', '+', 'COUNT', ARGV[2])}
