import { inSpan } from "../ops/spans.ts";
import { type Clock, sleep } from "./clock.ts";
import type { Provider, RequestOptions } from "./provider.ts";
import { isUnknownBlock, MalformedAnswerError, RpcError, TransportError } from "./provider-errors.ts";

/** How a node is doing. */
export interface NodeStatus {
  /** "node 1", "node 2" … in the order of the configuration: URLs hold keys. */
  readonly name: string;
  /**
   * Well: may be used. Resting: it failed, and is tried again soon. Lagging, forked: not on the chain's head. Lying: most
   * nodes say that what it says is not so; it is not asked at all.
   */
  readonly state: "well" | "resting" | "lagging" | "forked" | "lying";
  /** What it lied about, while it counts as a liar. */
  readonly lie: string | undefined;
  /** Number of the newest block that it named; undefined before it did. */
  readonly head: bigint | undefined;
  /** Weighted means over the last requests: milliseconds until an answer, and the part of requests without a good one. */
  readonly latencyMs: number;
  readonly errorRate: number;
  /** Requests per second that it is asked at most, after it complained; undefined while it does not. */
  readonly requestsPerSecond: number | undefined;
  readonly requests: number;
}

/** One node of several, with what is known of its health. Nothing is retried here. */
export interface Node {
  readonly name: string;
  request(method: string, params: readonly unknown[], options?: RequestOptions): Promise<unknown>;
  readonly provider: Provider;
  /** Whether it may be asked while others are there. */
  usable(): boolean;
  /** Whether it may be asked while no other is: the sooner the better. */
  restsUntil(): number;
  /** It failed in a way that requests alone do not show. It is left alone for a while, each time longer. */
  rest(): void;
  /** It said about `what` what is not so, by the word of the others: it is not asked for an hour, each time twice as long. */
  condemn(what: string): void;
  /** Whether it counts as a liar now. */
  lies(): boolean;
  /** What was found when its head was compared with the others'. */
  place(found: { readonly head?: bigint; readonly lagging?: boolean; readonly forked?: boolean }): void;
  latencyMs(): number;
  head(): bigint | undefined;
  status(): NodeStatus;
}

/** Weight of the newest request in the means. */
const WEIGHT = 0.1;
const FAULTS_TO_REST = 5;
const FIRST_REST_MS = 1_000;
const MAX_REST_MS = 60_000;
/** Wait after too many requests, when the node does not say how long. */
const LIMITED_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;
const RATE_DOWN = 0.7;
const RATE_UP_PER_SECOND = 1.25;
/** Below this the pauses that the node asks for do the rest. */
const MIN_RATE = 5;
/** A rate that has grown to so many times the one that was refused is no limit any more. */
const RATE_FORGOTTEN = 4;
/** Looks in a row that have to find a node behind, or on another fork. */
const LOOKS_TO_LEAVE = 2;
/** Answers in a row after which rests begin short again. */
const ANSWERS_TO_FORGIVE = 200;
const FIRST_MISTRUST_MS = 3_600_000;
/** Limit exceeded (EIP-1474), and what nodes send for too many requests. */
const LIMIT_CODES = new Set([-32005, -32029, 429]);

export function createNode(options: {
  readonly provider: Provider;
  readonly name: string;
  readonly clock: Clock;
}): Node {
  const { provider, name, clock } = options;
  let latencyMs = 0;
  let errorRate = 0;
  let requests = 0;
  let faultsInARow = 0;
  let answersInARow = 0;
  let restMs = FIRST_REST_MS;
  let restsUntil = 0;
  let pausedUntil = 0;
  let rate: { perSecond: number; readonly refusedAt: number; raisedAt: number } | undefined;
  let nextTurn = 0;
  let secondStart = 0;
  let sentInSecond = 0;
  let sentInLastSecond = 0;
  let lie: string | undefined;
  let mistrustMs = FIRST_MISTRUST_MS;
  let mistrustedUntil = 0;
  let head: bigint | undefined;
  let behind = 0;
  let astray = 0;

  function rest(): void {
    restsUntil = clock.now() + restMs;
    restMs = Math.min(restMs * 2, MAX_REST_MS);
    faultsInARow = 0;
  }

  function limited(retryAfterMs: number | undefined): void {
    const now = clock.now();
    const again = now < pausedUntil;
    pausedUntil = now + Math.min(retryAfterMs ?? LIMITED_PAUSE_MS, MAX_PAUSE_MS);
    // What was on its way when the node complained for the first time says nothing new.
    if (again) return;
    const perSecond = Math.max(MIN_RATE, (rate?.perSecond ?? Math.max(sentInSecond, sentInLastSecond)) * RATE_DOWN);
    rate = { perSecond, refusedAt: rate?.refusedAt ?? perSecond, raisedAt: pausedUntil };
  }

  /** Waits until the node's own limit lets the next request go. @throws TransportError when that is too late. */
  async function takeTurn(timeoutMs: number | undefined): Promise<void> {
    const now = clock.now();
    if (rate !== undefined && now - rate.raisedAt >= 1_000) {
      rate.perSecond *= RATE_UP_PER_SECOND;
      rate.raisedAt = now;
      if (rate.perSecond > rate.refusedAt * RATE_FORGOTTEN) rate = undefined;
    }
    const turn = Math.max(now, pausedUntil, rate === undefined ? 0 : nextTurn);
    if (timeoutMs !== undefined && turn - now > timeoutMs) {
      throw new TransportError("the node takes no more requests at present", {
        limited: true,
        retryAfterMs: turn - now,
      });
    }
    if (rate !== undefined) nextTurn = turn + 1_000 / rate.perSecond;
    if (turn > now) await sleep(clock, turn - now);
    if (clock.now() - secondStart >= 1_000) {
      sentInLastSecond = clock.now() - secondStart < 2_000 ? sentInSecond : 0;
      secondStart = clock.now();
      sentInSecond = 0;
    }
    sentInSecond += 1;
  }

  function learn(error: unknown, tookMs: number): void {
    const fault = isFault(error);
    errorRate += WEIGHT * ((fault ? 1 : 0) - errorRate);
    if (!fault) {
      latencyMs = latencyMs === 0 ? tookMs : latencyMs + WEIGHT * (tookMs - latencyMs);
      faultsInARow = 0;
      answersInARow += 1;
      if (answersInARow >= ANSWERS_TO_FORGIVE) restMs = FIRST_REST_MS;
      return;
    }
    answersInARow = 0;
    faultsInARow += 1;
    if (isLimit(error)) limited(error instanceof TransportError ? error.retryAfterMs : undefined);
    if (faultsInARow >= FAULTS_TO_REST) rest();
  }

  const lies = () => clock.now() < mistrustedUntil;

  return {
    name,
    provider,
    async request(method, params, limits = {}) {
      await takeTurn(limits.timeoutMs);
      requests += 1;
      const start = clock.elapsed();
      try {
        const ask = () => provider.request(method, params, { ...limits, attempts: 1 });
        const answer = await inSpan(method, { "rpc.system": "jsonrpc", "rpc.method": method, node: name }, ask);
        learn(undefined, clock.elapsed() - start);
        return answer;
      } catch (error) {
        learn(error, clock.elapsed() - start);
        throw error;
      }
    },
    usable: () =>
      !lies() && clock.now() >= Math.max(restsUntil, pausedUntil) && behind < LOOKS_TO_LEAVE && astray < LOOKS_TO_LEAVE,
    restsUntil: () => Math.max(restsUntil, pausedUntil),
    rest,
    condemn(what) {
      lie = what;
      mistrustedUntil = clock.now() + mistrustMs;
      mistrustMs *= 2;
    },
    lies,
    place(found) {
      head = found.head ?? head;
      behind = found.lagging ? behind + 1 : 0;
      astray = found.forked ? astray + 1 : 0;
    },
    latencyMs: () => latencyMs,
    head: () => head,
    status() {
      const resting = clock.now() < Math.max(restsUntil, pausedUntil);
      const displaced = astray >= LOOKS_TO_LEAVE ? "forked" : behind >= LOOKS_TO_LEAVE ? "lagging" : undefined;
      return {
        name,
        state: lies() ? "lying" : (displaced ?? (resting ? "resting" : "well")),
        lie: lies() ? lie : undefined,
        head,
        latencyMs: Math.round(latencyMs),
        errorRate: Math.round(errorRate * 1_000) / 1_000,
        requestsPerSecond: rate === undefined ? undefined : Math.round(rate.perSecond),
        requests,
      };
    },
  };
}

/** Whether a node did badly with a request: a refusal that is an answer (a revert, a range too wide) is none. */
function isFault(error: unknown): boolean {
  if (error instanceof RpcError) return isLimit(error) || isUnknownBlock(error);
  return error instanceof TransportError || error instanceof MalformedAnswerError;
}

function isLimit(error: unknown): boolean {
  if (error instanceof RpcError) return LIMIT_CODES.has(error.code);
  return error instanceof TransportError && error.limited;
}

/** Whether asking again, the same node or another, may bring an answer. */
export function worthRetrying(error: unknown): boolean {
  if (error instanceof RpcError) return isLimit(error);
  return error instanceof TransportError || error instanceof MalformedAnswerError;
}
