import type { Clock } from "../rpc/clock.ts";

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
/** First pause after a provider refuses the account, ms: it refuses until somebody pays or changes the key. */
const REFUSED_REST_MS = 30_000;
const MAX_REFUSED_REST_MS = 600_000;
/** Result of comparing a node's head with the others' heads. */
export interface HeadComparison {
  readonly head?: bigint;
  readonly lagging?: boolean;
  readonly forked?: boolean;
}

/** Health of one node: latency, error rate, pauses, lies, and the place of its head. Times are `Clock.elapsed`. */
export class NodeHealth {
  readonly #clock: Pick<Clock, "elapsed">;
  #latencyMs = 0;
  #errorRate = 0;
  #faultsInARow = 0;
  #answersInARow = 0;
  #restMs = FIRST_REST_MS;
  #restsUntil = 0;
  #refusal: string | undefined;
  #refusedRestMs = REFUSED_REST_MS;
  #lie: string | undefined;
  #mistrustMs = FIRST_MISTRUST_MS;
  #mistrustedUntil = 0;
  #head: bigint | undefined;
  #behind = 0;
  #astray = 0;

  constructor(clock: Pick<Clock, "elapsed">) {
    this.#clock = clock;
  }

  /** Weighted mean of the milliseconds until an answer. */
  get latencyMs(): number {
    return this.#latencyMs;
  }

  /** Weighted mean of the part of requests without a good answer. */
  get errorRate(): number {
    return this.#errorRate;
  }

  get restsUntil(): number {
    return this.#restsUntil;
  }

  /** Number of the newest block that it named. */
  get head(): bigint | undefined {
    return this.#head;
  }

  /** Kind of wrong head, if the node has lagged or forked for several comparisons. */
  get displaced(): "forked" | "lagging" | undefined {
    if (this.#astray >= LOOKS_TO_LEAVE) return "forked";
    return this.#behind >= LOOKS_TO_LEAVE ? "lagging" : undefined;
  }

  get lies(): boolean {
    return this.#clock.elapsed() < this.#mistrustedUntil;
  }

  /** Subject of its lie, while it counts as a liar. */
  get lie(): string | undefined {
    return this.lies ? this.#lie : undefined;
  }

  /** Why the provider refuses the account, until it answers again. */
  get refusal(): string | undefined {
    return this.#refusal;
  }

  answered(tookMs: number): void {
    this.#refusal = undefined;
    this.#refusedRestMs = REFUSED_REST_MS;
    this.#errorRate -= WEIGHT * this.#errorRate;
    this.#latencyMs = this.#latencyMs === 0 ? tookMs : this.#latencyMs + WEIGHT * (tookMs - this.#latencyMs);
    this.#faultsInARow = 0;
    this.#answersInARow += 1;
    if (this.#answersInARow >= ANSWERS_TO_FORGIVE) this.#restMs = FIRST_REST_MS;
  }

  failed(): void {
    this.#errorRate += WEIGHT * (1 - this.#errorRate);
    this.#answersInARow = 0;
    this.#faultsInARow += 1;
    if (this.#faultsInARow >= FAULTS_TO_REST) this.rest();
  }

  /** It refuses the account: it is left alone for longer than one that fails, each time twice as long. */
  refused(why: string): void {
    this.#errorRate += WEIGHT * (1 - this.#errorRate);
    this.#answersInARow = 0;
    this.#refusal = why;
    // Requests that were already sent at the first refusal add no news.
    if (this.#clock.elapsed() < this.#restsUntil) return;
    this.#restsUntil = this.#clock.elapsed() + this.#refusedRestMs;
    this.#refusedRestMs = Math.min(this.#refusedRestMs * 2, MAX_REFUSED_REST_MS);
  }

  /** It is left alone for a while, each time longer. */
  rest(): void {
    this.#restsUntil = this.#clock.elapsed() + this.#restMs;
    this.#restMs = Math.min(this.#restMs * 2, MAX_REST_MS);
    this.#faultsInARow = 0;
  }

  /** It counts as a liar for an hour, each time twice as long. */
  distrust(what: string): void {
    this.#lie = what;
    this.#mistrustedUntil = this.#clock.elapsed() + this.#mistrustMs;
    this.#mistrustMs *= 2;
  }

  place({ head, lagging, forked }: HeadComparison): void {
    this.#head = head ?? this.#head;
    this.#behind = lagging ? this.#behind + 1 : 0;
    this.#astray = forked ? this.#astray + 1 : 0;
  }
}
