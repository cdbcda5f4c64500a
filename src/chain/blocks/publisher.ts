import type { ChainReader } from "../../market/chain-reader.ts";
import type { Market } from "../../market/market.ts";
import type { Snapshot } from "../../market/snapshot.ts";
import type { ChainRecord } from "../chains/chain-record.ts";
import type { Header } from "../rpc/codec.ts";
import { readDataFee } from "./read-data-fee.ts";

export interface PublisherOptions {
  readonly market: Market;
  readonly reader: ChainReader;
  readonly record: ChainRecord;
  /** Wei per gas of a transaction after a block. */
  readonly gasPriceAfter: (tip: Header) => Promise<bigint>;
  /** Whether what was read is in doubt: nothing is published then. */
  readonly isDoubted: () => boolean;
  readonly tell: (snapshot: Snapshot) => void;
}

/** Publishes the pools of the tip as snapshots, and withdraws them while the chain is uncertain. */
export class Publisher {
  readonly #options: PublisherOptions;
  #newest: Header | undefined;
  #isWithdrawn = false;
  /** Why everything is being read anew, for those who ask meanwhile. */
  #whyAnew: string | undefined;

  constructor(options: PublisherOptions) {
    this.#options = options;
  }

  /** The block that the newest snapshot is of. */
  get newest(): Header | undefined {
    return this.#newest;
  }

  /** Whether nothing is quoted until the next snapshot, since the blocks of the last one are left. */
  get isWithdrawn(): boolean {
    return this.#isWithdrawn;
  }

  /** Nothing is quoted until the next snapshot. */
  withdraw(reason: string): void {
    this.#options.market.suspend(reason);
    this.#isWithdrawn = true;
  }

  /** Everything is to be read anew. `reason` is a sentence for those who ask meanwhile. */
  announceRestart(reason: string): void {
    this.#whyAnew = reason;
    this.#options.market.suspend(reason);
  }

  /** Empties the market, which is filled from the beginning now. */
  restart(): void {
    this.#options.market.reset(this.#whyAnew ?? "The state of the chain is being read.");
    this.#isWithdrawn = true;
  }

  /** Publishes the tip, or confirms that the newest snapshot still holds. */
  async publishOrConfirm(tip: Header, hasChanged: boolean): Promise<void> {
    if (tip.hash === this.#newest?.hash && !hasChanged && !this.#isWithdrawn) this.#options.market.confirm();
    else await this.publish(tip);
  }

  async publish(tip: Header): Promise<void> {
    const { market, reader, record, gasPriceAfter, isDoubted, tell } = this.#options;
    const [gasPrice, dataFee] = await Promise.all([gasPriceAfter(tip), readDataFee(reader, record, tip)]);
    if (isDoubted()) return;
    const snapshot = market.publish(tip, gasPrice, dataFee);
    this.#newest = tip;
    this.#isWithdrawn = false;
    this.#whyAnew = undefined;
    tell(snapshot);
  }
}
