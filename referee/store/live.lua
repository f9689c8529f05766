#!lua name=referee_EDITION
-- EDITION is put in at loading: editions of several releases stand side by side, each process calls its own.
-- The only writers of live matches, and two readers of several at once. A writer writes all of its work or answers what
-- it found instead.
-- m: hash of a match; e: lines of the running deal; z: finished deals, packed; due: deadlines by "match/seat".

-- A command costs more than what it does, so each is called once for as much as it can take.

local function each_some(command, key, items)
  -- Calls a command for many items, of which so many go at once that neither the stack nor a pair is broken.
  for start = 1, #items, 1000 do
    redis.call(command, key, unpack(items, start, math.min(#items, start + 999)))
  end
end

local function gathering()
  -- What is to be written beside the matches themselves, which `carry_out` does for all of them together.
  return {due = {}, no_more_due = {}, asked = {}, not_asked = {}}
end

local function write(m, e, args, at, keys, turn, gathered)
  -- Groups: fields, lines, deadlines (member, time or ''), who is asked ('1' or '0' for each key from keys[turn] on).
  -- Answers where the groups end.
  local last = at + tonumber(args[at])
  if last > at then redis.call('HSET', m, unpack(args, at + 1, last)) end
  at = last + 1
  last = at + tonumber(args[at])
  for start = at + 1, last, 1000 do redis.call('RPUSH', e, unpack(args, start, math.min(last, start + 999))) end
  at = last + 1
  last = at + tonumber(args[at])
  for i = at + 1, last, 2 do
    if args[i + 1] == '' then
      table.insert(gathered.no_more_due, args[i])
    else
      table.insert(gathered.due, args[i + 1])
      table.insert(gathered.due, args[i])
    end
  end
  at = last + 1
  last = at + tonumber(args[at])
  for i = at + 1, last do
    local sets, key = args[i] == '1' and gathered.asked or gathered.not_asked, keys[turn + i - at - 1]
    if not sets[key] then sets[key] = {} end
    table.insert(sets[key], string.sub(m, 3))
  end
  return last + 1
end

local function carry_out(gathered, due)
  each_some('ZREM', due, gathered.no_more_due)
  each_some('ZADD', due, gathered.due)
  for key, ids in pairs(gathered.asked) do each_some('SADD', key, ids) end
  for key, ids in pairs(gathered.not_asked) do each_some('SREM', key, ids) end
end

-- keys: m...   args: names of fields.  Answers of each match what those fields hold.
local function some(keys, args)
  local found = {}
  for i, m in ipairs(keys) do found[i] = redis.call('HMGET', m, unpack(args)) end
  return found
end

-- keys: m e of each match   args: how many names of fields, the names, then of each match: the version at which the deal
-- began of which whoever asks knows lines, and how many he knows; '' twice if none.
-- Answers of each all fields, name and value in turn, or, where lines are known, the values of those that are named; the
-- lines of the running deal but for those that are known, and how many are.
local function read(keys, args)
  local found, names = {}, tonumber(args[1]) + 1
  for i = 1, #keys, 2 do
    local known, version, size = 0, args[names + i], tonumber(args[names + i + 1])
    if version ~= '' then
      local now, lines = redis.call('HGET', keys[i], 'version'), redis.call('LLEN', keys[i + 1])
      if now and now - lines == tonumber(version) and lines >= size then known = size end
    end
    local fields
    if known > 0 then fields = redis.call('HMGET', keys[i], unpack(args, 2, names))
    else fields = redis.call('HGETALL', keys[i]) end
    found[#found + 1] = {fields, redis.call('LRANGE', keys[i + 1], known, -1), known}
  end
  return found
end

-- keys: m e z due live pushed turns...   args: '1' if a seat is pushed to, what is packed already, the groups, wake
local function create(keys, args)
  local m = keys[1]
  if redis.call('EXISTS', m) == 1 then return {'known'} end
  redis.call('DEL', keys[2], keys[3])
  if args[2] ~= '' then redis.call('RPUSH', keys[3], args[2]) end
  local gathered = gathering()
  write(m, keys[2], args, 3, keys, 7, gathered)
  carry_out(gathered, keys[4])
  redis.call('SADD', keys[5], string.sub(m, 3))
  if args[1] == '1' then redis.call('SADD', keys[6], string.sub(m, 3)) end
  redis.call('PUBLISH', 'wake', args[#args])
  return {'taken'}
end

local function append_one(keys, first, args, at, gathered)
  -- Answers what came of it and, if it was taken, the wake that tells of it.
  local m, key = keys[first], args[at + 4]
  local names, groups = {'version', 'head', 'token', args[at + 3], 'closed'}, at + 10 + tonumber(args[at + 9])
  for i = at + 10, groups - 2, 2 do names[#names + 1] = args[i] end
  local now = redis.call('HMGET', m, unpack(names))
  if not now[1] or now[5] then return 'gone' end
  if key ~= '' and now[4] == key then return 'repeated' end
  if key == '' and now[2] == args[at + 5] then return 'taken' end -- ours, and its answer was lost
  if now[1] ~= args[at] or now[2] ~= args[at + 1] then return 'moved' end
  for i = 6, #names do
    if (now[i] or '') ~= args[at + 2 * i - 1] then return 'moved' end
  end
  if args[at + 2] ~= '' and now[3] ~= args[at + 2] then return 'fenced' end
  if args[at + 6] ~= '' then
    redis.call('RPUSH', keys[first + 2], args[at + 6])
    redis.call('DEL', keys[first + 1])
  end
  local ends = write(m, keys[first + 1], args, groups, keys, first + 3, gathered)
  if args[at + 7] == '1' then redis.call('RPUSH', keys[2], string.sub(m, 3)) end
  if args[at + 8] ~= '' then redis.call('HINCRBY', m, 'prompts:' .. args[at + 8], 1) end
  return 'taken', args[ends]
end

-- keys: due archive, then of each match m e z turns...
-- args, of each match: how many keys and arguments it has, then version, head, token, key field, key, new head,
-- packed deal, '1' if this ends the match, the seat whose prompt is delivered with it, what fields must hold (field, value),
-- the groups, wake.  Each is written or not by itself; one message wakes for all.
local function append(keys, args)
  local outcomes, wakes, gathered, first, at = {}, {}, gathering(), 3, 1
  while at <= #args do
    outcomes[#outcomes + 1], wakes[#wakes + 1] = append_one(keys, first, args, at + 2, gathered)
    first, at = first + tonumber(args[at]), at + 2 + tonumber(args[at + 1])
  end
  carry_out(gathered, keys[1])
  if #wakes > 0 then redis.call('PUBLISH', 'wake', table.concat(wakes, '\n')) end
  return outcomes
end

local function deliver_one(m, version, seat, at, deadline, due)
  local delivered, seen, prompts = 'delivered:' .. seat, 'seen:' .. seat, 'prompts:' .. seat
  local now = redis.call('HMGET', m, 'version', 'closed', 'asked:' .. seat, delivered, seen, prompts)
  if now[1] ~= version or now[2] or not now[3] or now[3] == '' then return '' end
  if now[4] and now[4] ~= '' then return now[4] end
  local count = (now[6] or 0) + 1
  if now[5] then redis.call('HSET', m, delivered, at, prompts, count)
  else redis.call('HSET', m, delivered, at, prompts, count, seen, '1') end
  if deadline ~= '' then
    due[#due + 1] = deadline
    due[#due + 1] = string.sub(m, 3) .. '/' .. seat
  end
  return at
end

-- keys: due, then m of each prompt   args, of each: version, seat, now, deadline ('': it stays).
-- Answers of each when it was delivered, '' if it is not asked any more.
local function deliver(keys, args)
  local found, due = {}, {}
  for i = 2, #keys do
    local at = 4 * (i - 2)
    found[i - 1] = deliver_one(keys[i], args[at + 1], args[at + 2], args[at + 3], args[at + 4], due)
  end
  each_some('ZADD', keys[1], due)
  return found
end

-- keys: m of each prompt   args, of each: version, seat, when it was delivered, when it went out.
-- Moves the one time to the other, where it is that still.  Answers how many were moved.
local function hand(keys, args)
  local moved = 0
  for i, m in ipairs(keys) do
    local version, seat, before, at = unpack(args, 4 * i - 3, 4 * i)
    local field = 'delivered:' .. seat
    local now = redis.call('HMGET', m, 'version', field)
    if now[1] == version and now[2] == before then
      redis.call('HSET', m, field, at)
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
  local gone = 4 + tonumber(args[3])
  if gone > 4 then redis.call('HSET', keys[1], unpack(args, 4, gone - 1)) end
  for start = gone + 1, #args, 1000 do redis.call('HDEL', keys[1], unpack(args, start, math.min(#args, start + 999))) end
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
