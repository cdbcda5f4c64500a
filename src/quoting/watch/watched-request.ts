import type { BlockRef } from "../../domain/block.ts";
import type { SwapRequest } from "../answer/types.ts";
import { fingerprint, type PriceState, type PriceUpdate } from "./price-update.ts";
import type { SimulationTurns, WatchedGas } from "./simulation-turns.ts";
import type { Watcher } from "./watch-shares.ts";

/** One request that somebody watches, with its newest price and those who wait for the next. */
export class WatchedRequest {
  /** Names the request: whoever asks for the same watches the same. */
  readonly key: string;
  readonly request: SwapRequest;
  readonly gas: WatchedGas;
  /** Open watches of this request by key, and whose keys those are. */
  readonly #watchers = new Map<string, { readonly account: string; watches: number }>();
  readonly #wakers = new Set<() => void>();
  /** State now; undefined before it is first priced. */
  #state: PriceState | undefined;
  /** The newest block that it was priced at. */
  #block: BlockRef | undefined;
  /** Grows with each change of the state. */
  #version = 0;

  constructor(key: string, request: SwapRequest, simulations: SimulationTurns) {
    this.key = key;
    this.request = request;
    this.gas = simulations.gasFor(() => this.account);
  }

  /** At whose expense it is priced: the one of those that watch it who came first. */
  get account(): string {
    const [first] = this.#watchers.values();
    return first?.account ?? "";
  }

  get isWatched(): boolean {
    return this.#watchers.size > 0;
  }

  isWatchedBy(key: string): boolean {
    return this.#watchers.has(key);
  }

  join({ key, account }: Watcher): void {
    const watcher = this.#watchers.get(key) ?? { account, watches: 0 };
    watcher.watches += 1;
    this.#watchers.set(key, watcher);
  }

  leave({ key }: Watcher): void {
    const watcher = this.#watchers.get(key);
    if (watcher === undefined) return;
    watcher.watches -= 1;
    if (watcher.watches === 0) this.#watchers.delete(key);
  }

  /** Tells all who wait. `block`: the newest when the pricing began; a price names its own. */
  tell(state: PriceState, block: BlockRef | undefined): void {
    if (this.#state === undefined || fingerprint(this.#state) !== fingerprint(state)) this.#version += 1;
    this.#state = state;
    this.#block = state.kind === "price" ? state.answer.block : (block ?? this.#block);
    for (const wake of this.#wakers) wake();
  }

  /**
   * Yields the state now, each change from then on, and a heartbeat after a pause. `waits`: the
   * first is told after the next pricing only.
   */
  async *updates(signal: AbortSignal, heartbeatMs: number, waits: boolean): AsyncGenerator<PriceUpdate> {
    let told = 0;
    let sentAt = performance.now();
    let isWaiting = waits;
    while (!signal.aborted) {
      if (this.#state !== undefined && this.#version > told && !isWaiting) {
        told = this.#version;
        yield this.#state;
        sentAt = performance.now();
      } else {
        // A block that changes nothing sends nothing, and so does not put off the heartbeat.
        const left = sentAt + heartbeatMs - performance.now();
        const happened = left > 0 && (await this.#woken(signal, left));
        isWaiting &&= !happened;
        if (happened) continue;
        yield { kind: "heartbeat", block: this.#block };
        sentAt = performance.now();
      }
    }
  }

  /** Waits for the next pricing, for the end, or for `timeoutMs`. False when nothing has happened. */
  #woken(signal: AbortSignal, timeoutMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const done = (happened: boolean) => {
        clearTimeout(timer);
        this.#wakers.delete(wake);
        signal.removeEventListener("abort", wake);
        resolve(happened);
      };
      const wake = () => done(true);
      const timer = setTimeout(() => done(false), timeoutMs);
      this.#wakers.add(wake);
      signal.addEventListener("abort", wake, { once: true });
    });
  }
}
