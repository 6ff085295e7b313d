#!lua flags=no-writes
-- Reads documents, sorted by key. KEYS: docs, revisions, keys.
-- ARGV: "key" and the key, or "range", the ends of the range of keys, and a limit.
-- Returns key, revision and data of each in turn.
local keys
if ARGV[1] == 'key' then
  keys = {ARGV[2]}
else
  keys = redis.call('ZRANGEBYLEX', KEYS[3], ARGV[2], ARGV[3], 'LIMIT', 0, ARGV[4])
end
local found = {}
for _, key in ipairs(keys) do
  local revision = redis.call('HGET', KEYS[2], key)
  if revision then
    found[#found + 1] = key
    found[#found + 1] = revision
    found[#found + 1] = redis.call('HGET', KEYS[1], key)
  end
end
return found
