#!lua
-- Writes or removes a document. KEYS: docs, revisions, keys, puts.
-- ARGV: mode ("put" or "delete"), key, expected revision or "any", data.
-- Returns {"ok", revision}, {"not found"} or {"conflict", revision}.
local key, expect = ARGV[2], ARGV[3]
local stands = redis.call('HGET', KEYS[2], key)
if ARGV[1] == 'delete' and not stands then return {'not found'} end
if expect ~= 'any' and expect ~= (stands or '0') then return {'conflict', stands or '0'} end
if ARGV[1] == 'delete' then
  redis.call('HDEL', KEYS[1], key)
  redis.call('HDEL', KEYS[2], key)
  redis.call('ZREM', KEYS[3], key)
  return {'ok', stands}
end
local revision = redis.call('INCR', KEYS[4])
redis.call('HSET', KEYS[1], key, ARGV[4])
redis.call('HSET', KEYS[2], key, revision)
redis.call('ZADD', KEYS[3], 0, key)
return {'ok', tostring(revision)}
