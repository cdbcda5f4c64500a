import { toFunctionSelector } from "viem";
import type { Address, Hex } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import type { Call, ChainReader } from "../../market/chain-reader.ts";
import type { PoolRef, ReportUnserved } from "../../market/liquidity-source.ts";
import type { Pool } from "../../pools/pool.ts";
import { levelsOf, type Sample } from "../../pools/sampled-ladder/levels-of.ts";
import { callGroups } from "../reading/call-groups.ts";
import { uintAt, wordOf } from "../reading/words.ts";
import { amountsOf, COARSE, finerThan, isFitting, KnownSizes, sizeOf } from "./sizes.ts";
import { Turns } from "./turns.ts";
import type { Asked } from "./view-call.ts";

const BALANCE_OF = toFunctionSelector("balanceOf(address)");
/** Pools whose sizes are looked for at one block: each takes some 25 calls. */
const SIZED_AT_A_TIME = 4;
const DIRECTIONS = [0, 1] as const;

/** View functions of a contract. */
export interface Views {
  readonly quote: (asked: Asked) => Hex;
  /** Payment in a quote's answer. */
  readonly paid: (answer: Hex | undefined) => bigint | undefined;
  readonly isActive: ((asked: Asked) => Hex) | undefined;
}

/** Contract of a record. */
export interface SampledVenue {
  readonly source: string;
  readonly venue: Address;
  readonly holder: Address | undefined;
  readonly swapGas: bigint;
  readonly views: Views;
}

/** Samples the quotes of one contract, all pairs of it in one batch of calls per block. */
export class Sampling {
  readonly #venue: SampledVenue;
  readonly #sizes = new KnownSizes();
  /** The newest block that was read: only there are sizes looked for again, since they hold from the next one on. */
  #newest = 0n;
  readonly #turns = { first: new Turns(SIZED_AT_A_TIME), again: new Turns(SIZED_AT_A_TIME) };

  constructor(venue: SampledVenue) {
    this.#venue = venue;
  }

  /** The ladders of pairs at a block. Those that are switched off both ways, or quote nothing, are left out. */
  async read(
    chain: ChainReader,
    refs: readonly PoolRef[],
    at: BlockRef,
    reportUnserved?: ReportUnserved,
  ): Promise<readonly Pool[]> {
    if (at.number > this.#newest) this.#newest = at.number;
    const own = refs.filter(({ address }) => address === this.#venue.venue);
    const unknown = own.filter(({ id }) => !this.#sizes.isKnown(id));
    await this.#size(chain, this.#turns.first.take(unknown, at), at);
    const answers = await callGroups(
      chain,
      own.map((ref) => this.#callsOf(ref, at)),
      at,
    );
    const read = own.map((ref, index) => ({ ref, sides: this.#sidesOf(ref, answers[index] ?? [], at) }));
    const due = read.filter(({ ref, sides }) => this.#isDue(ref, sides, at)).map(({ ref }) => ref);
    await this.#size(chain, this.#turns.again.take(due, at), at);
    return read.flatMap(({ ref, sides }) => this.#poolOf(ref, sides, reportUnserved));
  }

  /** Whether it is active each way, what pays for that, and the quotes of all amounts. */
  #callsOf(ref: PoolRef, at: BlockRef): readonly Call[] {
    const { venue: to, holder, views } = this.#venue;
    const { isActive } = views;
    return DIRECTIONS.flatMap((sell): readonly Call[] => [
      ...(isActive ? [askOf(to, isActive(askedOf(ref, sell, 0n)))] : []),
      ...(holder ? [askOf(ref.tokens[1 - sell] as Address, `${BALANCE_OF}${wordOf(BigInt(holder))}`)] : []),
      ...this.#amounts(ref, sell, at).map((amount) => this.#quoteCall(ref, sell, amount)),
    ]);
  }

  #sidesOf(ref: PoolRef, read: readonly (Hex | undefined)[], at: BlockRef): readonly SampledSide[] {
    const { holder, views } = this.#venue;
    const answers = read.values();
    return DIRECTIONS.map((sell) => {
      const isActive = views.isActive === undefined || isTrue(answers.next().value);
      const held = holder === undefined ? undefined : (uintAt(answers.next().value ?? "0x", 0) ?? 0n);
      const samples = this.#amounts(ref, sell, at).flatMap((sold): readonly Sample[] => {
        const paid = views.paid(answers.next().value);
        return paid === undefined ? [] : [{ sold, paid }];
      });
      return { isActive, samples, held };
    });
  }

  #poolOf(ref: PoolRef, sides: readonly SampledSide[], reportUnserved: ReportUnserved | undefined): readonly Pool[] {
    const { source, swapGas } = this.#venue;
    const [bids, asks] = sides.map(levelsOfSide);
    if (bids === undefined || asks === undefined || (bids.length === 0 && asks.length === 0)) {
      if (sides.every(({ isActive }) => !isActive)) reportUnserved?.(ref.id, "PAUSED");
      return [];
    }
    return [{ id: ref.id, source, tokens: ref.tokens, curve: "sampled-ladder", state: { bids, asks, swapGas } }];
  }

  /** Whether the amounts that a pool is sampled with have to be looked for again. */
  #isDue(ref: PoolRef, sides: readonly SampledSide[], at: BlockRef): boolean {
    const sizes = this.#sizes.at(ref.id, at);
    if (sizes === undefined || at.number < this.#newest) return false;
    const fits = sides.every(({ isActive, samples }, sell) => !isActive || isFitting(sizes[sell], samples));
    return this.#sizes.isDue(ref.id, at, { isFitting: fits, lastTry: this.#turns.again.lastOf(ref.id) });
  }

  /** Finds out which amounts some pools are to be sampled with; of those that are not active it is found out later. */
  async #size(chain: ChainReader, chosen: readonly PoolRef[], at: BlockRef): Promise<void> {
    const { isActive } = this.#venue.views;
    if (chosen.length === 0) return;
    const asks = chosen.map((ref) =>
      isActive === undefined
        ? []
        : DIRECTIONS.map((sell) => askOf(this.#venue.venue, isActive(askedOf(ref, sell, 0n)))),
    );
    const active = await callGroups(chain, asks, at);
    const due = chosen.filter((_, index) => isActive === undefined || active[index]?.some(isTrue));
    const sides = due.flatMap((ref) => DIRECTIONS.map((sell) => ({ ref, sell })));
    const coarse = await this.#samples(
      chain,
      sides.map((side) => ({ ...side, amounts: COARSE })),
      at,
    );
    const finer = await this.#samples(
      chain,
      sides.map((side, index) => {
        const size = sizeOf(coarse[index] ?? []);
        return { ...side, amounts: size === undefined ? [] : finerThan(size) };
      }),
      at,
    );
    const sizes = sides.map((_, index) => sizeOf([...(coarse[index] ?? []), ...(finer[index] ?? [])]));
    for (const [index, { id }] of due.entries()) {
      const [bid, ask] = [sizes[2 * index], sizes[2 * index + 1]];
      if (bid !== undefined || ask !== undefined) this.#sizes.found(id, [bid, ask], at);
    }
  }

  async #samples(
    chain: ChainReader,
    sides: readonly { readonly ref: PoolRef; readonly sell: 0 | 1; readonly amounts: readonly bigint[] }[],
    at: BlockRef,
  ): Promise<readonly (readonly Sample[])[]> {
    const calls = sides.map(({ ref, sell, amounts }) => amounts.map((amount) => this.#quoteCall(ref, sell, amount)));
    const answers = await callGroups(chain, calls, at);
    return sides.map(({ amounts }, index) =>
      amounts.flatMap((sold, place): readonly Sample[] => {
        const paid = this.#venue.views.paid(answers[index]?.[place]);
        return paid === undefined ? [] : [{ sold, paid }];
      }),
    );
  }

  #amounts({ id }: PoolRef, sell: 0 | 1, at: BlockRef): readonly bigint[] {
    return amountsOf(this.#sizes.at(id, at)?.[sell]);
  }

  #quoteCall(ref: PoolRef, sell: 0 | 1, amount: bigint): Call {
    return askOf(this.#venue.venue, this.#venue.views.quote(askedOf(ref, sell, amount)));
  }
}

/** Samples of one direction of a pair. */
interface SampledSide {
  readonly isActive: boolean;
  readonly samples: readonly Sample[];
  /** Balance to pay from; absent if unknown. */
  readonly held: bigint | undefined;
}

function levelsOfSide({ isActive, samples, held }: SampledSide) {
  return isActive ? levelsOf(samples.filter(({ paid }) => held === undefined || paid <= held)) : [];
}

/** Question to a contract about a direction of a pair. */
export function askedOf({ tokens }: Pick<PoolRef, "tokens">, sell: number, amount: bigint): Asked {
  return { sold: tokens[sell] as Address, bought: tokens[1 - sell] as Address, amount };
}

function isTrue(answer: Hex | undefined): boolean {
  return uintAt(answer ?? "0x", 0) === 1n;
}

/** A call of a contract whose code nobody has seen. */
function askOf(to: Address, data: Hex): Call {
  return { to, data, isForeignCall: true };
}
