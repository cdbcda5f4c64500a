import type { Clock } from "../rpc/clock.ts";
import { RpcError, reasonOf, refusalOf } from "../rpc/provider-errors.ts";

/** Refusals in a row, in words that are not known, after which another node is asked first. */
const REFUSALS_TO_AVOID = 3;
const AVOIDED_MS = 60_000;
/** A method that a node does not have is tried there again after this: nodes are updated, plans are changed. */
const MISSING_MS = 600_000;
/** Methods that are remembered: more are none of ours. */
const MAX_METHODS = 100;

interface Refusals {
  readonly count: number;
  /** By `Clock.elapsed`. */
  readonly avoidedUntil: number;
  readonly why: string;
}

/** Methods that one node refuses: a node without `eth_simulateV1` still serves all others. */
export class NodeMethods {
  readonly #clock: Pick<Clock, "elapsed">;
  readonly #refused = new Map<string, Refusals>();

  constructor(clock: Pick<Clock, "elapsed">) {
    this.#clock = clock;
  }

  /** Whether the node is worth asking for this while others are there. */
  serves(method: string): boolean {
    return this.#clock.elapsed() >= (this.#refused.get(method)?.avoidedUntil ?? 0);
  }

  answered(method: string): void {
    this.#refused.delete(method);
  }

  /** It has refused: counts where that says something of the node, and not of what was asked. */
  failed(method: string, error: unknown): void {
    if (!(error instanceof RpcError) || !["unsupported", "other"].includes(refusalOf(error))) return;
    const count = (this.#refused.get(method)?.count ?? 0) + 1;
    const isMissing = refusalOf(error) === "unsupported";
    const avoidedMs = isMissing ? MISSING_MS : count >= REFUSALS_TO_AVOID ? AVOIDED_MS : 0;
    if (this.#refused.size >= MAX_METHODS) this.#refused.clear();
    this.#refused.set(method, { count, avoidedUntil: this.#clock.elapsed() + avoidedMs, why: reasonOf(error) });
  }

  /** Why each of the methods is not asked for here at present, while others are there. */
  avoided(): Readonly<Record<string, string>> {
    const avoided = [...this.#refused].filter(([method]) => !this.serves(method));
    return Object.fromEntries(avoided.map(([method, { why }]) => [method, why]));
  }
}
