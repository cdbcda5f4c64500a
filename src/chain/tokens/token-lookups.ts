import type { Address } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import { refuse, type SwapError } from "../../domain/errors/swap-error.ts";
import type { BlockMemo, BlockMemory } from "../rpc/block-memory.ts";
import { type Clock, sleep } from "../rpc/clock.ts";
import { MAX_PROBED, type ProbedToken, type ProbeTokens } from "./token-probe.ts";

/** Limits on addresses that wait to be looked up as tokens. */
export interface LookupLimits {
  readonly perAccount: number;
  readonly inAll: number;
  /** Milliseconds from the beginning of one request for unknown addresses to the next: who comes meanwhile shares it. */
  readonly apartMs: number;
}

export const LOOKUP_LIMITS: LookupLimits = { perAccount: 16, inAll: 256, apartMs: 100 };

const MAX_REMEMBERED = 50_000;

interface Lookup {
  readonly address: Address;
  readonly account: string | undefined;
  readonly found: Promise<ProbedToken>;
  readonly end: (result: Promise<ProbedToken>) => void;
}

/**
 * Looks addresses up as tokens at the newest block, several with one request. Keeps the answers; an address without a
 * usable token is remembered for one block.
 */
export class TokenLookups {
  readonly #probe: ProbeTokens;
  readonly #head: () => BlockRef | undefined;
  readonly #clock: Clock;
  readonly #limits: LookupLimits;
  readonly #known: BlockMemo<Address, ProbedToken>;
  readonly #open = new Map<Address, Lookup>();
  readonly #waiting: Lookup[] = [];
  #isAsking = false;

  constructor(options: {
    readonly probe: ProbeTokens;
    /** The block to read at; undefined while there is none. */
    readonly head: () => BlockRef | undefined;
    readonly memory: BlockMemory;
    readonly clock: Clock;
    readonly limits: LookupLimits;
  }) {
    this.#probe = options.probe;
    this.#head = options.head;
    this.#clock = options.clock;
    this.#limits = options.limits;
    this.#known = options.memory.memo({ most: MAX_REMEMBERED, lasts: ({ isUsable }) => isUsable });
  }

  /** Known result for an address, without asking the node. */
  known(address: Address): ProbedToken | undefined {
    return this.#known.get(address, this.#head());
  }

  /**
   * Looks one address up as a token; `account` is the caller, if there is one.
   * @throws SwapError when the account, or all together, have too many addresses waiting, or the node does not answer
   */
  async find(address: Address, account?: string): Promise<ProbedToken> {
    const known = this.known(address);
    if (known !== undefined) return known;
    const open = this.#open.get(address) ?? this.#begin(address, account);
    return open.found;
  }

  #begin(address: Address, account: string | undefined): Lookup {
    this.#admit(account);
    const { promise, resolve } = Promise.withResolvers<ProbedToken>();
    const lookup: Lookup = { address, account, found: promise, end: resolve };
    this.#open.set(address, lookup);
    this.#waiting.push(lookup);
    if (!this.#isAsking) void this.#askAll();
    return lookup;
  }

  /** @throws SwapError */
  #admit(account: string | undefined): void {
    const { perAccount, inAll } = this.#limits;
    const own = account === undefined ? 0 : [...this.#open.values()].filter((open) => open.account === account).length;
    if (own >= perAccount) {
      throw refuse(
        "TOO_MANY_UNKNOWN_TOKENS",
        `${own} unknown token addresses of this account are being looked up, the most at a time. Wait for their answers.`,
      );
    }
    if (this.#open.size >= inAll) {
      const message = "Too many unknown token addresses are being looked up. Try again, or name a token that is known.";
      throw refuse("OVERLOADED", message);
    }
  }

  /** Asks for what waits, part by part, until nothing does. */
  async #askAll(): Promise<void> {
    this.#isAsking = true;
    // Addresses of one request, and of those that come with it, are asked for together.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      this.#ask(this.#waiting.splice(0, MAX_PROBED));
      await sleep(this.#clock, this.#limits.apartMs);
    }
    this.#isAsking = false;
  }

  #ask(part: readonly Lookup[]): void {
    const asked = this.#read(part.map(({ address }) => address));
    for (const [index, { address, end }] of part.entries()) {
      end(asked.then((found) => found[index]!).finally(() => this.#open.delete(address)));
    }
  }

  async #read(addresses: readonly Address[]): Promise<readonly ProbedToken[]> {
    const at = this.#head();
    if (at === undefined) throw unavailable(undefined);
    const found = await this.#probe(addresses, at).catch((cause: unknown) => {
      throw unavailable(cause);
    });
    for (const [index, address] of addresses.entries()) this.#known.set(address, found[index]!, at);
    return found;
  }
}

function unavailable(cause: unknown): SwapError {
  return refuse("UNAVAILABLE", "The chain cannot be asked about this token at the moment. Try again.", {
    retryAfterSeconds: 2,
    cause,
  });
}
