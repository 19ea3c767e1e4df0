/** Redis's own clock, milliseconds: those of the gateways differ. */
const NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/**
 * Keeps what is told for those who come later, and tells those who listen. One step, so that who asks for a trial slot after a
 * message finds it as the message says. Keys: openings, throttles (sorted sets: route by end), stem of the trial slots.
 * Arguments: message channel, message, who tells, then kind, route and milliseconds of each change. Nothing outlives its end.
 */
export const TELL_HEALTH = `${NOW}
local longest = 86400000
local function until_later(key, route, ms)
  redis.call('ZADD', key, 'GT', now + tonumber(ms), route)
end
for i = 4, #ARGV, 3 do
  local kind, route, ms = ARGV[i], ARGV[i + 1], ARGV[i + 2]
  if kind == 'opened' then until_later(KEYS[1], route, ms)
  elseif kind == 'throttled' then until_later(KEYS[2], route, ms)
  elseif kind == 'closed' then redis.call('ZREM', KEYS[1], route)
  elseif kind == 'trial_over' then
    local slot = KEYS[3] .. ':' .. route
    if redis.call('GET', slot) == ARGV[3] then redis.call('DEL', slot) end
  end
end
for i = 1, 2 do
  redis.call('ZREMRANGEBYSCORE', KEYS[i], '-inf', now)
  local last = redis.call('ZREVRANGE', KEYS[i], 0, 0, 'WITHSCORES')
  if last[2] then redis.call('PEXPIRE', KEYS[i], math.min(longest, last[2] - now)) end
end
redis.call('PUBLISH', ARGV[1], ARGV[2])
`;

/** Keys: openings, throttles. Returns for each the routes and the milliseconds that are left, alternating; bounded. */
export const READ_HEALTH = `${NOW}
local function left(key)
  local found = redis.call('ZRANGEBYSCORE', key, now + 1, '+inf', 'WITHSCORES', 'LIMIT', 0, 10000)
  for i = 2, #found, 2 do found[i] = found[i] - now end
  return found
end
return { left(KEYS[1]), left(KEYS[2]) }
`;

/** Key: a trial slot. Arguments: who asks, for how many milliseconds. Returns 1 if the slot is his now. */
export const HOLD_TRIAL = `
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
`;
