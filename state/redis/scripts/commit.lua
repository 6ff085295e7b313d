#!lua
-- Adds one commit to a battle, or says why not.
-- KEYS: log, head, commands, snapshot, battles, due. All of one shard.
-- ARGV: mode ("create" or "append"), id, channel, version, command, digest, at, data,
--       phase, ruleset, title, created, updated, deadline, has snapshot ("1" or ""), snapshot
-- Returns {"ok"}, {"not found"}, {"exists"}, {"reused"}, {"conflict", head} or {"duplicate", entry}.
local log, head, commands, snapshot, battles, due = unpack(KEYS)
local mode, id, channel, version, command, digest, at, data = unpack(ARGV, 1, 8)

local stored = redis.call('HMGET', head, 'version', 'deadline')
local known = stored[1] and redis.call('HGET', commands, command)
if mode == 'create' then
  if stored[1] and known ~= '1' then return {'exists'} end
else
  if not stored[1] then return {'not found'} end
end
if known then
  local entry = redis.call('XRANGE', log, known .. '-0', known .. '-0')[1]
  if not entry then return redis.error_reply('DAMAGED entry ' .. known .. ' of ' .. id .. ' is missing') end
  for i = 1, #entry[2], 2 do
    if entry[2][i] == 'digest' and entry[2][i + 1] ~= digest then return {'reused'} end
  end
  return {'duplicate', entry}
end
if mode == 'append' and tonumber(version) ~= stored[1] + 1 then
  return {'conflict', stored[1]}
end

redis.call('XADD', log, version .. '-0', 'command', command, 'digest', digest, 'at', at, 'data', data)
redis.call('HSET', commands, command, version)
local deadline = ARGV[14]
redis.call('HSET', head, 'version', version, 'phase', ARGV[9], 'ruleset', ARGV[10], 'title', ARGV[11],
  'created', ARGV[12], 'updated', ARGV[13], 'deadline', deadline)
if ARGV[15] == '1' then
  redis.call('HSET', snapshot, 'version', version, 'data', ARGV[16])
end
if mode == 'create' then
  redis.call('ZADD', battles, 0, id)
end
if deadline ~= (stored[2] or '0') then
  if deadline == '0' then
    redis.call('ZREM', due, id)
  else
    redis.call('ZADD', due, deadline, id)
  end
end
redis.call('PUBLISH', channel, version .. ' ' .. at .. ' ' .. digest .. ' ' .. #command .. ' ' .. command .. data)
return {'ok'}
