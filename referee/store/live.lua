#!lua name=referee_EDITION
-- EDITION is put in at loading: editions of several releases stand side by side, each process calls its own.
-- The only writers of live matches, and two readers of several at once. A writer writes all of its work or answers what
-- it found instead.
-- m: hash of a match; e: lines of the running deal; z: finished deals, packed; due: deadlines by "match/seat".

local function counted(args, at, visit)
  -- A counted group of arguments: how many, then the arguments themselves.
  local size = tonumber(args[at])
  if size > 0 then visit(at + 1, at + size) end
  return at + size + 1
end

local function write(m, e, due, args, at, keys, turn)
  -- Groups: fields, lines, deadlines (member, time or ''), who is asked ('1' or '0' for each key from keys[turn] on).
  -- Answers where the groups end.
  at = counted(args, at, function(first, last) redis.call('HSET', m, unpack(args, first, last)) end)
  at = counted(args, at, function(first, last)
    for start = first, last, 1000 do redis.call('RPUSH', e, unpack(args, start, math.min(last, start + 999))) end
  end)
  at = counted(args, at, function(first, last)
    for i = first, last, 2 do
      if args[i + 1] == '' then redis.call('ZREM', due, args[i]) else redis.call('ZADD', due, args[i + 1], args[i]) end
    end
  end)
  local id = string.sub(m, 3)
  return counted(args, at, function(first, last)
    for i = first, last do
      redis.call(args[i] == '1' and 'SADD' or 'SREM', keys[turn + i - first], id)
    end
  end)
end

-- keys: m...   args: names of fields.  Answers of each match what those fields hold.
local function some(keys, args)
  local found = {}
  for i, m in ipairs(keys) do found[i] = redis.call('HMGET', m, unpack(args)) end
  return found
end

-- keys: m e of each match   args, of each match: the version at which the deal began of which whoever asks knows lines,
-- and how many he knows; '' twice if none.
-- Answers of each all fields, name and value in turn, the lines of the running deal but for those that are known, and how
-- many are.
local function read(keys, args)
  local found = {}
  for i = 1, #keys, 2 do
    local known = 0
    if args[i] ~= '' then
      local version, lines = redis.call('HGET', keys[i], 'version'), redis.call('LLEN', keys[i + 1])
      if version and version - lines == tonumber(args[i]) and lines >= tonumber(args[i + 1]) then
        known = tonumber(args[i + 1])
      end
    end
    found[#found + 1] = {redis.call('HGETALL', keys[i]), redis.call('LRANGE', keys[i + 1], known, -1), known}
  end
  return found
end

-- keys: m e z due live pushed turns...   args: '1' if a seat is pushed to, what is packed already, the groups, wake
local function create(keys, args)
  local m = keys[1]
  if redis.call('EXISTS', m) == 1 then return {'known'} end
  redis.call('DEL', keys[2], keys[3])
  if args[2] ~= '' then redis.call('RPUSH', keys[3], args[2]) end
  write(m, keys[2], keys[4], args, 3, keys, 7)
  redis.call('SADD', keys[5], string.sub(m, 3))
  if args[1] == '1' then redis.call('SADD', keys[6], string.sub(m, 3)) end
  redis.call('PUBLISH', 'wake', args[#args])
  return {'taken'}
end

local function append_one(keys, first, args, at)
  -- Answers what came of it and, if it was taken, the wake that tells of it.
  local m, key = keys[first], args[at + 4]
  local names, relied = {'version', 'head', 'token', args[at + 3], 'closed'}, {}
  local groups = counted(args, at + 8, function(from, last)
    for i = from, last, 2 do names[#names + 1], relied[#relied + 1] = args[i], args[i + 1] end
  end)
  local now = redis.call('HMGET', m, unpack(names))
  if not now[1] or now[5] then return 'gone' end
  if key ~= '' and now[4] == key then return 'repeated' end
  if key == '' and now[2] == args[at + 5] then return 'taken' end -- ours, and its answer was lost
  if now[1] ~= args[at] or now[2] ~= args[at + 1] then return 'moved' end
  for i, value in ipairs(relied) do
    if (now[5 + i] or '') ~= value then return 'moved' end
  end
  if args[at + 2] ~= '' and now[3] ~= args[at + 2] then return 'fenced' end
  if args[at + 6] ~= '' then
    redis.call('RPUSH', keys[first + 2], args[at + 6])
    redis.call('DEL', keys[first + 1])
  end
  local ends = write(m, keys[first + 1], keys[1], args, groups, keys, first + 3)
  if args[at + 7] == '1' then redis.call('RPUSH', keys[2], string.sub(m, 3)) end
  return 'taken', args[ends]
end

-- keys: due archive, then of each match m e z turns...
-- args, of each match: how many keys and arguments it has, then version, head, token, key field, key, new head,
-- packed deal, '1' if this ends the match, what fields must hold (field, value), the groups, wake.  Each is written by itself; one message wakes for all.
local function append(keys, args)
  local outcomes, wakes, first, at = {}, {}, 3, 1
  while at <= #args do
    outcomes[#outcomes + 1], wakes[#wakes + 1] = append_one(keys, first, args, at + 2)
    first, at = first + tonumber(args[at]), at + 2 + tonumber(args[at + 1])
  end
  if #wakes > 0 then redis.call('PUBLISH', 'wake', table.concat(wakes, '\n')) end
  return outcomes
end

local function deliver_one(m, due, version, seat, at, deadline)
  local field = 'delivered:' .. seat
  local now = redis.call('HMGET', m, 'version', field, 'asked:' .. seat, 'closed')
  if now[1] ~= version or now[4] or not now[3] or now[3] == '' then return '' end
  if now[2] and now[2] ~= '' then return now[2] end
  redis.call('HSET', m, field, at, 'seen:' .. seat, '1')
  redis.call('HINCRBY', m, 'prompts:' .. seat, 1)
  if deadline ~= '' then redis.call('ZADD', due, deadline, string.sub(m, 3) .. '/' .. seat) end
  return at
end

-- keys: due, then m of each prompt   args, of each: version, seat, now, deadline.
-- Answers of each when it was delivered, '' if it is not asked any more.
local function deliver(keys, args)
  local found = {}
  for i = 2, #keys do
    local at = 4 * (i - 2)
    found[i - 1] = deliver_one(keys[i], keys[1], args[at + 1], args[at + 2], args[at + 3], args[at + 4])
  end
  return found
end

-- keys: due, then m of each prompt   args, of each: version, seat, when it was delivered, when it went out, deadline.
-- Moves the one time to the other, where it is that still.  Answers how many were moved.
local function hand(keys, args)
  local moved = 0
  for i = 2, #keys do
    local version, seat, before, at, deadline = unpack(args, 5 * (i - 2) + 1, 5 * (i - 1))
    local field = 'delivered:' .. seat
    local now = redis.call('HMGET', keys[i], 'version', field)
    if now[1] == version and now[2] == before then
      redis.call('HSET', keys[i], field, at)
      if deadline ~= '' then redis.call('ZADD', keys[1], deadline, string.sub(keys[i], 3) .. '/' .. seat) end
      moved = moved + 1
    end
  end
  return moved
end

-- keys: m   args: '1' if it counts, seat, then fields to keep.  Answers how many refused acts of the seat count.
local function refuse(keys, args)
  if redis.call('EXISTS', keys[1]) == 0 then return -1 end
  if #args > 2 then redis.call('HSET', keys[1], unpack(args, 3)) end
  return redis.call('HINCRBY', keys[1], 'refused:' .. args[2], tonumber(args[1]))
end

-- keys: m   args: now, until.  Takes the lease if it is free and answers its fencing token, else 0.
local function lease(keys, args)
  local held = redis.call('HMGET', keys[1], 'lease', 'version')
  if not held[2] then return 0 end
  if held[1] and tonumber(held[1]) > tonumber(args[1]) then return 0 end
  redis.call('HSET', keys[1], 'lease', args[2])
  return redis.call('HINCRBY', keys[1], 'token', 1)
end

-- keys: m...   args: until, token...  Renews (until 0: gives back) each lease whose token is still the given one.
local function renew(keys, args)
  local kept = {}
  for i, m in ipairs(keys) do
    kept[i] = 0
    if redis.call('HGET', m, 'token') == args[i + 1] then
      redis.call('HSET', m, 'lease', args[1])
      kept[i] = 1
    end
  end
  return kept
end

-- keys: m e z due archive live pushed turns...   args: seconds the hash is kept for repeated requests, seats...
local function close(keys, args)
  local id = string.sub(keys[1], 3)
  redis.call('DEL', keys[2], keys[3])
  for i = 2, #args do redis.call('ZREM', keys[4], id .. '/' .. args[i]) end
  redis.call('LREM', keys[5], 0, id)
  for i = 6, #keys do redis.call('SREM', keys[i], id) end
  if redis.call('EXISTS', keys[1]) == 1 then
    if args[1] == '0' then redis.call('DEL', keys[1])
    else
      redis.call('HSET', keys[1], 'over', '1', 'closed', '1')
      redis.call('HDEL', keys[1], 'header', 'terms', 'seed')
      redis.call('EXPIRE', keys[1], args[1])
    end
  end
  return 1
end

-- keys: m...   args: now.  Closes to writers every match that is not over, with all that it holds.  Answers of each 1 if it
-- is over and still to be put on record, else 0.
local function halt(keys, args)
  local over = {}
  for i, m in ipairs(keys) do
    local now = redis.call('HMGET', m, 'version', 'over', 'closed')
    over[i] = (now[2] and not now[3]) and 1 or 0
    if now[1] and not now[2] then redis.call('HSET', m, 'closed', '1', 'halted', args[1]) end
  end
  return over
end

-- m due; ms, seats...  Moves when seats were asked and got their prompts, and their deadlines.
local function credit(keys, args)
  for i = 2, #args do
    for _, name in ipairs({'asked:', 'delivered:'}) do
      local at = redis.call('HGET', keys[1], name .. args[i])
      if at and at ~= '' then redis.call('HINCRBY', keys[1], name .. args[i], args[1]) end
    end
    local member = string.sub(keys[1], 3) .. '/' .. args[i]
    if redis.call('ZSCORE', keys[2], member) then redis.call('ZINCRBY', keys[2], args[1], member) end
  end
  return 1
end

-- keys: m due   args: when it was halted, now, seats...  Opens a match again that was halted then and not again since, and
-- charges nobody for the time.
local function go_on(keys, args)
  local halted = redis.call('HMGET', keys[1], 'halted', 'over')
  if halted[1] ~= args[1] or halted[2] then return 0 end
  redis.call('HDEL', keys[1], 'closed', 'halted')
  return credit(keys, {math.max(0, args[2] - args[1]), unpack(args, 3)})
end

-- keys: s   args: number of the stream, seconds the notes are kept, the groups: fields, names of fields that go.
-- Notes what a bot's stream is about to send.  Answers 0, and nothing is noted, if the bot has opened another since.
local function sent(keys, args)
  if tonumber(redis.call('HGET', keys[1], 'stream') or 0) > tonumber(args[1]) then return 0 end
  redis.call('HSET', keys[1], 'stream', args[1]) -- a server that was started anew may have lost it
  local at = counted(args, 3, function(first, last) redis.call('HSET', keys[1], unpack(args, first, last)) end)
  counted(args, at, function(first, last)
    for start = first, last, 1000 do redis.call('HDEL', keys[1], unpack(args, start, math.min(last, start + 999))) end
  end)
  redis.call('EXPIRE', keys[1], args[2])
  return 1
end

-- keys: beat live due   args: now, longest pause that is none, seats...
-- Notes that deadlines are watched. If nobody did for longer than that, all live matches are credited with the time since,
-- in the same step, so that whoever dies here has done all of it or nothing.  Answers how many ms.
local function beat(keys, args)
  local before = redis.call('GET', keys[1])
  redis.call('SET', keys[1], args[1])
  local gap = before and tonumber(args[1]) - tonumber(before) or 0
  if gap <= tonumber(args[2]) then return 0 end
  for _, id in ipairs(redis.call('SMEMBERS', keys[2])) do
    credit({'m:' .. id, keys[3]}, {gap, unpack(args, 3)})
  end
  return gap
end

redis.register_function{function_name = 'ss_some_EDITION', callback = some, flags = {'no-writes'}}
redis.register_function{function_name = 'ss_read_EDITION', callback = read, flags = {'no-writes'}}
redis.register_function('ss_sent_EDITION', sent)
redis.register_function('ss_beat_EDITION', beat)
redis.register_function('ss_create_EDITION', create)
redis.register_function('ss_append_EDITION', append)
redis.register_function('ss_deliver_EDITION', deliver)
redis.register_function('ss_hand_EDITION', hand)
redis.register_function('ss_refuse_EDITION', refuse)
redis.register_function('ss_lease_EDITION', lease)
redis.register_function('ss_renew_EDITION', renew)
redis.register_function('ss_close_EDITION', close)
redis.register_function('ss_halt_EDITION', halt)
redis.register_function('ss_go_on_EDITION', go_on)
