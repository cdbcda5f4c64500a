import type { Hex } from "viem";
import type { JsonRpc } from "../node/json-rpc.ts";
import type { DevnetLayout } from "../plan/layout.ts";
import { type Book, bookAround } from "./book.ts";
import type { ReferenceDesk } from "./desk.ts";
import { ASKED_PAIRS, SHOWN_PAIRS } from "./inventory.ts";
import { readMidPrices } from "./mid-prices.ts";

const PAIRS = [...SHOWN_PAIRS, ...ASKED_PAIRS];

/** A maker's books around the devnet's prices, as of the newest block that was seen. */
export class FollowedBooks {
  readonly #rpc: JsonRpc;
  readonly #layout: DevnetLayout;
  readonly #desk: Pick<ReferenceDesk, "levels">;
  #books: readonly Book[] = [];
  #levels: string;
  #seen: Hex | undefined;

  constructor(rpc: JsonRpc, layout: DevnetLayout, desk: Pick<ReferenceDesk, "levels">) {
    this.#rpc = rpc;
    this.#layout = layout;
    this.#desk = desk;
    this.#levels = desk.levels([]);
  }

  /** Those of the pairs that are shown come first. */
  get now(): readonly Book[] {
    return this.#books;
  }

  /** The message that tells the levels. */
  get levels(): string {
    return this.#levels;
  }

  /** Looks for a new block. @returns whether the levels have changed with it */
  async follow(): Promise<boolean> {
    const { hash } = await this.#rpc.call<{ readonly hash: Hex }>("eth_getBlockByNumber", ["latest", false]);
    if (hash === this.#seen) return false;
    this.#books = (await readMidPrices(this.#rpc, this.#layout, PAIRS, hash)).map(bookAround);
    this.#seen = hash;
    const before = this.#levels;
    this.#levels = this.#desk.levels(this.#books.slice(0, SHOWN_PAIRS.length));
    return this.#levels !== before;
  }
}
