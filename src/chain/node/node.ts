import { inSpan } from "../../ops/spans.ts";
import type { Clock } from "../rpc/clock.ts";
import { createRequestPace } from "../rpc/pace.ts";
import { attemptMs, type Provider, type RequestOptions } from "../rpc/provider.ts";
import { isLimit, isUnknownBlock, MalformedAnswerError, RpcError, TransportError } from "../rpc/provider-errors.ts";

/** How a node is doing. */
export interface NodeStatus {
  /** "node 1", "node 2" … in the order of the configuration: URLs hold keys. */
  readonly name: string;
  /**
   * Well: may be used. Resting: it failed, and is tried again soon. Lagging, forked: not on the chain's head, or not on the
   * chain at all. Lying: most nodes say that what it says is not so; it is not asked at all.
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
  /** One try, which waits for its turn. @throws TransportError when the deadline is over, or would be before its turn. */
  request(method: string, params: readonly unknown[], options?: RequestOptions): Promise<unknown>;
  readonly provider: Provider;
  /** Whether it may be asked while others are there. */
  usable(): boolean;
  /** When it may be asked while no other is, by `Clock.elapsed`: the sooner the better. */
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
/** Looks in a row that have to find a node behind, or on another fork. */
const LOOKS_TO_LEAVE = 2;
/** Answers in a row after which rests begin short again. */
const ANSWERS_TO_FORGIVE = 200;
const FIRST_MISTRUST_MS = 3_600_000;
/** Bound on one request for what costs a node next to nothing, and on every other. */
const LIGHT_TIMEOUT_MS = 3_000;
const TIMEOUT_MS = 10_000;
const LIGHT: ReadonlySet<string> = new Set([
  "eth_chainId",
  "eth_gasPrice",
  "eth_getBlockByNumber",
  "eth_getBlockByHash",
  "eth_getCode",
]);

export function createNode(options: {
  readonly provider: Provider;
  readonly name: string;
  readonly clock: Clock;
  /** Requests for callers that are on their way at a time. */
  readonly mostForCallers?: number | undefined;
}): Node {
  const { provider, name, clock } = options;
  const pace = createRequestPace(clock, options.mostForCallers);
  let latencyMs = 0;
  let errorRate = 0;
  let requests = 0;
  let faultsInARow = 0;
  let answersInARow = 0;
  let restMs = FIRST_REST_MS;
  let restsUntil = 0;
  let lie: string | undefined;
  let mistrustMs = FIRST_MISTRUST_MS;
  let mistrustedUntil = 0;
  let head: bigint | undefined;
  let behind = 0;
  let astray = 0;

  function rest(): void {
    restsUntil = clock.elapsed() + restMs;
    restMs = Math.min(restMs * 2, MAX_REST_MS);
    faultsInARow = 0;
  }

  /** Milliseconds that a request may take from now on. @throws TransportError when nobody waits for it any more */
  function timeoutOf(method: string, { timeoutMs, deadlineMs }: RequestOptions): number {
    const most = timeoutMs ?? (LIGHT.has(method) ? LIGHT_TIMEOUT_MS : TIMEOUT_MS);
    return attemptMs(method, most, deadlineMs, clock.now());
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
    if (isLimit(error)) pace.complained(error instanceof TransportError ? error.retryAfterMs : undefined);
    if (faultsInARow >= FAULTS_TO_REST) rest();
  }

  async function ask(
    method: string,
    params: readonly unknown[],
    limits: RequestOptions & { readonly timeoutMs: number },
  ): Promise<unknown> {
    requests += 1;
    const start = clock.elapsed();
    try {
      const once = () => provider.request(method, params, { ...limits, attempts: 1 });
      const answer = await inSpan(method, { "rpc.system": "jsonrpc", "rpc.method": method, node: name }, once);
      learn(undefined, clock.elapsed() - start);
      return answer;
    } catch (error) {
      // Who waits for less than that says nothing of the node: callers bring deadlines of their own.
      const isHurried = limits.timeoutMs < LIGHT_TIMEOUT_MS && error instanceof TransportError && error.timedOut;
      if (!isHurried) learn(error, clock.elapsed() - start);
      throw error;
    }
  }

  const lies = () => clock.elapsed() < mistrustedUntil;
  const quietUntil = () => Math.max(restsUntil, pace.pausedUntil());

  return {
    name,
    provider,
    async request(method, params, limits = {}) {
      const endTurn = await pace.takeTurn(timeoutOf(method, limits), limits.lane ?? "callers");
      try {
        return await ask(method, params, { ...limits, timeoutMs: timeoutOf(method, limits) });
      } finally {
        endTurn();
      }
    },
    usable: () => !lies() && clock.elapsed() >= quietUntil() && behind < LOOKS_TO_LEAVE && astray < LOOKS_TO_LEAVE,
    restsUntil: quietUntil,
    rest,
    condemn(what) {
      lie = what;
      mistrustedUntil = clock.elapsed() + mistrustMs;
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
      const resting = clock.elapsed() < quietUntil();
      const limit = pace.limit();
      const displaced = astray >= LOOKS_TO_LEAVE ? "forked" : behind >= LOOKS_TO_LEAVE ? "lagging" : undefined;
      return {
        name,
        state: lies() ? "lying" : (displaced ?? (resting ? "resting" : "well")),
        lie: lies() ? lie : undefined,
        head,
        latencyMs: Math.round(latencyMs),
        errorRate: Math.round(errorRate * 1_000) / 1_000,
        requestsPerSecond: limit === undefined ? undefined : Math.round(limit),
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
