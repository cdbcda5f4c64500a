/** Redis's own time in milliseconds: no clock of a process counts. */
const NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/** Whether the lease with the token ARGV[1] holds; KEYS[1] is the lease: "token id". */
const HOLDS = `
local holder = redis.call('GET', KEYS[1])
if not holder or string.match(holder, '^%d+') ~= ARGV[1] then return false end
`;

/**
 * One beat of a process. KEYS: lease, token, replicas, revoked. ARGV: id of the process, milliseconds of the lease, 1 if it wants
 * the lease, time since when revoked keys are told, milliseconds that a process counts as there, and that revoked keys are kept.
 * Returns the time, the token of the lease if the process holds it, the number of processes, and keys that were revoked.
 * A token is greater than every one before, also where Redis has lost them: it is no less than the time.
 */
export const PULSE = `
${NOW}
local holder = redis.call('GET', KEYS[1])
local mine = '0'
if holder then
  local token, id = string.match(holder, '^(%d+) (.*)$')
  if id == ARGV[1] then
    if ARGV[3] == '1' then
      redis.call('PEXPIRE', KEYS[1], ARGV[2])
      mine = token
    else
      redis.call('DEL', KEYS[1])
    end
  end
elseif ARGV[3] == '1' then
  local last = tonumber(redis.call('GET', KEYS[2]) or '0')
  mine = string.format('%.0f', math.max(last + 1, now))
  redis.call('SET', KEYS[2], mine)
  redis.call('SET', KEYS[1], mine .. ' ' .. ARGV[1], 'PX', ARGV[2])
end
redis.call('ZADD', KEYS[3], now, ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', now - ARGV[5])
redis.call('PEXPIRE', KEYS[3], ARGV[5])
redis.call('ZREMRANGEBYSCORE', KEYS[4], '-inf', now - ARGV[6])
return { now, mine, redis.call('ZCARD', KEYS[3]), redis.call('ZRANGEBYSCORE', KEYS[4], ARGV[4], '+inf') }
`;

/** Ends a process's lease and its being there. KEYS: lease, replicas. ARGV: id. */
export const LEAVE = `
local holder = redis.call('GET', KEYS[1])
if holder and string.match(holder, '^%d+ (.*)$') == ARGV[1] then redis.call('DEL', KEYS[1]) end
return redis.call('ZREM', KEYS[2], ARGV[1])
`;

/** Notes a revoked key. KEYS: revoked. ARGV: id of the key. */
export const REVOKE = `
${NOW}
return redis.call('ZADD', KEYS[1], now, ARGV[1])
`;

/** Tells an entry. KEYS: lease, stream. ARGV: token, entry. Returns its id, or nothing where the lease is over. */
export const APPEND = `
${HOLDS}
return redis.call('XADD', KEYS[2], '*', 'e', ARGV[2])
`;

/**
 * Makes a whole state the newest. KEYS: lease, stream, newest. ARGV: token, key of the whole state, entry after which updates
 * follow on it (empty: all so far are before it), number of its entries, milliseconds that it is kept, and that the one before
 * is for those who read it now. Entries before that one are dropped. Returns 1, or nothing where the lease is over.
 */
export const NEWEST = `
${HOLDS}
${NOW}
local after = ARGV[3]
if after == '' then
  after = '0-0'
  if redis.call('EXISTS', KEYS[2]) == 1 then
    local info = redis.call('XINFO', 'STREAM', KEYS[2])
    for i = 1, #info, 2 do if info[i] == 'last-generated-id' then after = info[i + 1] end end
  end
end
local old = redis.call('HMGET', KEYS[3], 'key', 'after')
redis.call('HSET', KEYS[3], 'key', ARGV[2], 'after', after, 'count', ARGV[4], 'at', string.format('%.0f', now))
if old[1] and old[1] ~= ARGV[2] then redis.call('PEXPIRE', old[1], ARGV[6]) end
if old[2] then redis.call('XTRIM', KEYS[2], 'MINID', old[2]) end
redis.call('PEXPIRE', ARGV[2], ARGV[5])
redis.call('PEXPIRE', KEYS[2], ARGV[5])
redis.call('PEXPIRE', KEYS[3], ARGV[5])
return 1
`;

/**
 * The generic cell rate algorithm of src/api/limits/gcra.ts, in the same arithmetic. KEYS: the account's number. ARGV: units per
 * second, burst, cost, 1 if it is charged whether or not it is there, and the time (empty: Redis's own).
 * Returns whether it is allowed, milliseconds until all units are back, and until the call would be allowed.
 * Times count from 2026, so that a double has them to the nanosecond.
 */
export const TAKE = `
local now = tonumber(ARGV[5])
if not now then
  local time = redis.call('TIME')
  now = (time[1] - 1767225600) * 1000 + time[2] / 1000
end
local perUnit = 1000 / ARGV[1]
local burst = tonumber(ARGV[2])
local cost = tonumber(ARGV[3])
local before = math.max(tonumber(redis.call('GET', KEYS[1]) or now), now)
local after, excess
if ARGV[4] == '1' then
  after = before + cost * 1000 / ARGV[1]
  excess = 0
else
  after = before + math.min(cost, burst) * perUnit
  excess = after - now - burst * perUnit
end
local allowed = excess < 1e-6
local kept = allowed and after or before
if kept > now then
  redis.call('SET', KEYS[1], string.format('%.17g', kept), 'PX', math.ceil(kept - now) + 1000)
end
return { allowed and 1 or 0, string.format('%.17g', kept - now), string.format('%.17g', allowed and 0 or excess) }
`;
