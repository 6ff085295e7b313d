#!lua flags=no-writes
-- Reads a battle as of one moment. KEYS: log, head, snapshot.
-- Returns {head, entries, snapshot}, each flat, with an empty head when there is no battle.
local head = redis.call('HGETALL', KEYS[2])
if #head == 0 then return {head, {}, {}} end
local snapshot = redis.call('HGETALL', KEYS[3])
local from = '-'
for i = 1, #snapshot, 2 do
  if snapshot[i] == 'version' then from = '(' .. snapshot[i + 1] .. '-0' end
end
return {head, redis.call('XRANGE', KEYS[1], from, '+'), snapshot}
