import { inSpan } from "../../ops/spans.ts";
import type { Clock } from "../rpc/clock.ts";
import { attemptMs, type Provider, type RequestOptions } from "../rpc/provider.ts";
import {
  isAccountRefusal,
  isLimit,
  isPruned,
  isUnknownBlock,
  MalformedAnswerError,
  RpcError,
  reasonOf,
  TransportError,
} from "../rpc/provider-errors.ts";
import { createRequestPace, type RequestPace } from "../rpc/request-rate.ts";
import { type HeadComparison, NodeHealth } from "./node-health.ts";
import { NodeMethods } from "./node-methods.ts";

/** State and figures of one node. */
export interface NodeStatus {
  /** "node 1", "node 2" … in the order of the configuration: URLs hold keys. */
  readonly name: string;
  /**
   * Well: may be used. Resting: it failed, and is tried again soon. Refusing: its provider refuses the account, see
   * `refusal`. Lagging, forked: not on the chain's head, or not on the chain at all. Lying: most nodes say that what it
   * says is not so; it is not asked at all.
   */
  readonly state: "well" | "resting" | "refusing" | "lagging" | "forked" | "lying";
  /** Why the provider refuses the account, while it does. */
  readonly refusal: string | undefined;
  /** Methods that are asked of other nodes first, each with the reason. */
  readonly avoided: Readonly<Record<string, string>>;
  /** Subject of its lie, while it counts as a liar. */
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
  /** Whether it is worth asking for this method while others are there. */
  serves(method: string): boolean;
  /** When it may be asked while no other is, by `Clock.elapsed`: the sooner the better. */
  restsUntil(): number;
  /** It failed in a way that requests alone do not show. It is left alone for a while, each time longer. */
  rest(): void;
  /** It said about `what` what is not so, by the word of the others: it is not asked for an hour, each time twice as long. */
  distrust(what: string): void;
  /** Whether it counts as a liar now. */
  lies(): boolean;
  /** Takes the result of comparing its head with the others' heads. */
  place(found: HeadComparison): void;
  latencyMs(): number;
  head(): bigint | undefined;
  status(): NodeStatus;
}

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

interface NodeOptions {
  readonly provider: Provider;
  readonly name: string;
  readonly clock: Clock;
  /** Requests for callers that are on their way at a time. */
  readonly mostForCallers?: number | undefined;
}

export function createNode(options: NodeOptions): Node {
  return new PacedNode(options);
}

/** A node whose requests wait for their turns, and tell how it does. */
class PacedNode implements Node {
  readonly name: string;
  readonly provider: Provider;
  readonly #clock: Clock;
  readonly #pace: RequestPace;
  readonly #health: NodeHealth;
  readonly #methods: NodeMethods;
  #requests = 0;

  constructor({ provider, name, clock, mostForCallers }: NodeOptions) {
    this.name = name;
    this.provider = provider;
    this.#clock = clock;
    this.#pace = createRequestPace(clock, mostForCallers);
    this.#health = new NodeHealth(clock);
    this.#methods = new NodeMethods(clock);
  }

  async request(method: string, params: readonly unknown[], limits: RequestOptions = {}): Promise<unknown> {
    const endTurn = await this.#pace.takeTurn(this.#timeoutOf(method, limits), limits.lane ?? "callers");
    try {
      return await this.#ask(method, params, { ...limits, timeoutMs: this.#timeoutOf(method, limits) });
    } finally {
      endTurn();
    }
  }

  usable(): boolean {
    return !this.#health.lies && !this.#isQuiet && this.#health.displaced === undefined;
  }

  serves(method: string): boolean {
    return this.#methods.serves(method);
  }

  restsUntil(): number {
    return Math.max(this.#health.restsUntil, this.#pace.pausedUntil());
  }

  rest(): void {
    this.#health.rest();
  }

  distrust(what: string): void {
    this.#health.distrust(what);
  }

  lies(): boolean {
    return this.#health.lies;
  }

  place(found: HeadComparison): void {
    this.#health.place(found);
  }

  latencyMs(): number {
    return this.#health.latencyMs;
  }

  head(): bigint | undefined {
    return this.#health.head;
  }

  status(): NodeStatus {
    const health = this.#health;
    const limit = this.#pace.limit();
    return {
      name: this.name,
      state: this.#state,
      refusal: health.refusal,
      avoided: this.#methods.avoided(),
      lie: health.lie,
      head: health.head,
      latencyMs: Math.round(health.latencyMs),
      errorRate: Math.round(health.errorRate * 1_000) / 1_000,
      requestsPerSecond: limit === undefined ? undefined : Math.round(limit),
      requests: this.#requests,
    };
  }

  get #state(): NodeStatus["state"] {
    const health = this.#health;
    if (health.lies) return "lying";
    if (health.refusal !== undefined) return "refusing";
    return health.displaced ?? (this.#isQuiet ? "resting" : "well");
  }

  get #isQuiet(): boolean {
    return this.#clock.elapsed() < this.restsUntil();
  }

  /** Milliseconds that a request may take from now on. @throws TransportError when nobody waits for it any more */
  #timeoutOf(method: string, { timeoutMs, deadlineMs }: RequestOptions): number {
    const most = timeoutMs ?? (LIGHT.has(method) ? LIGHT_TIMEOUT_MS : TIMEOUT_MS);
    return attemptMs(method, most, deadlineMs, this.#clock.now());
  }

  async #ask(
    method: string,
    params: readonly unknown[],
    limits: RequestOptions & { readonly timeoutMs: number },
  ): Promise<unknown> {
    this.#requests += 1;
    const start = this.#clock.elapsed();
    try {
      const once = () => this.provider.request(method, params, { ...limits, attempts: 1 });
      const answer = await inSpan(method, { "rpc.system": "jsonrpc", "rpc.method": method, node: this.name }, once);
      this.#health.answered(this.#clock.elapsed() - start);
      this.#methods.answered(method);
      return answer;
    } catch (error) {
      // A timeout shorter than that says nothing about the node: callers bring deadlines of their own.
      const isHurried = limits.timeoutMs < LIGHT_TIMEOUT_MS && error instanceof TransportError && error.timedOut;
      if (!isHurried) this.#learn(method, error, this.#clock.elapsed() - start);
      throw error;
    }
  }

  #learn(method: string, error: unknown, tookMs: number): void {
    this.#methods.failed(method, error);
    if (isAccountRefusal(error)) this.#health.refused(reasonOf(error));
    else if (isFault(error)) {
      if (isLimit(error)) this.#pace.complained(error instanceof TransportError ? error.retryAfterMs : undefined);
      this.#health.failed();
    } else this.#health.answered(tookMs);
  }
}

/** Whether a node did badly with a request: a refusal that is an answer (a revert, a range too wide) is none. */
function isFault(error: unknown): boolean {
  if (error instanceof RpcError) return isLimit(error) || (isUnknownBlock(error) && !isPruned(error));
  return error instanceof TransportError || error instanceof MalformedAnswerError;
}
