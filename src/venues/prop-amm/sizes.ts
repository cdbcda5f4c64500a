import type { BlockRef } from "../../domain/block.ts";
import type { PoolId } from "../../domain/route.ts";
import { MAX_UINT128 } from "../../math/full-math.ts";
import type { Sample } from "../../pools/sampled-ladder/levels-of.ts";

/** The most that one direction takes without its rate falling far, to the power of ten; undefined where it quotes nothing. */
export type Size = bigint | undefined;

/** The sizes of both directions of a pool. */
export type Sizes = readonly [Size, Size];

/** Sizes are looked for again after so many seconds, since prices and depths move; sooner where they do not fit. */
const RESIZE_SECONDS = { fitting: 3_600n, others: 60n } as const;
/** Sizes that are remembered of a pool: an audit may look at a block before the newest change. */
const KEPT = 3;

/** Amounts that are sampled, as parts of a thousandth of the size. */
const PARTS = [1n, 4n, 10n, 25n, 60n, 125n, 250n, 500n, 1_000n, 2_000n, 4_000n, 8_000n];
const THOUSAND = 1_000n;

/** The amounts whose quotes make the ladder of a direction. */
export function amountsOf(size: Size): readonly bigint[] {
  if (size === undefined) return [];
  const amounts = PARTS.map((part) => (size * part) / THOUSAND);
  return [...new Set(amounts)].filter((amount) => amount > 0n && amount <= MAX_UINT128);
}

/** A power of ten that is asked first: every third, from one base unit up. */
export const COARSE: readonly bigint[] = Array.from({ length: 11 }, (_, index) => 10n ** BigInt(3 * index));

/** The powers between a coarse one and the next. */
export function finerThan(size: bigint): readonly bigint[] {
  return [size * 10n, size * 100n];
}

/** Least payment in base units that tells a rate. */
const MIN_PAID = 1_000n;
/** The part of the best rate, in hundredths, that the largest amount still has to pay. */
const KEPT_RATE = 75n;

/** Samples of which so many are near the best rate fit a direction, unless the largest is one of them. */
const MIN_NEAR = 6;

/** Whether samples of a direction's amounts tell its ladder: neither far below its depth nor most of them beyond. */
export function isFitting(size: Size, samples: readonly Sample[]): boolean {
  if (size === undefined) return false;
  const near = nearOf(samples);
  return near.length >= MIN_NEAR && near.at(-1)?.sold !== amountsOf(size).at(-1);
}

/** The largest amount that is paid at a rate near the best one. */
export function sizeOf(samples: readonly Sample[]): Size {
  const near = nearOf(samples);
  return near.length === 0 ? undefined : near.reduce((most, { sold }) => (sold > most ? sold : most), 0n);
}

/** The samples that are paid at a rate near the best one. */
function nearOf(samples: readonly Sample[]): readonly Sample[] {
  const telling = samples.filter(({ paid }) => paid >= MIN_PAID);
  const best = telling.reduce<Sample | undefined>(
    (one, other) => (one && !isBetter(other, one) ? one : other),
    undefined,
  );
  if (best === undefined) return [];
  return telling.filter(({ sold, paid }) => paid * best.sold * 100n >= best.paid * sold * KEPT_RATE);
}

function isBetter(one: Sample, other: Sample): boolean {
  return one.paid * other.sold > other.paid * one.sold;
}

/** Sizes as they were found at a block. */
interface Found {
  readonly at: BlockRef;
  /** The first block that is sampled with them. */
  readonly since: bigint;
  readonly sizes: Sizes;
}

/** The sizes of pools, each for the blocks since it was found: the same block is sampled with the same sizes at any time. */
export class KnownSizes {
  /** By ascending block. */
  readonly #known = new Map<PoolId, readonly Found[]>();

  isKnown(id: PoolId): boolean {
    return this.#known.has(id);
  }

  /** The sizes that a block is sampled with; undefined where none are known. */
  at(id: PoolId, { number }: BlockRef): Sizes | undefined {
    return this.#known.get(id)?.findLast(({ since }) => since <= number)?.sizes;
  }

  /** Whether it is time to look for them again. `lastTry`: when that was done last, unix seconds, whatever was found. */
  isDue(id: PoolId, { number, timestamp }: BlockRef, { isFitting, lastTry = 0n }: SizeCheck): boolean {
    const newest = this.#known.get(id)?.at(-1)?.at;
    if (newest === undefined || number <= newest.number) return false;
    const last = lastTry > newest.timestamp ? lastTry : newest.timestamp;
    return timestamp >= last + RESIZE_SECONDS[isFitting ? "fitting" : "others"];
  }

  /**
   * Sizes that were found at a block: the first of a pool for all blocks, others from the next one on. What is found at a block
   * that is not newer than that of the last is not kept: later blocks have been sampled without it.
   */
  found(id: PoolId, sizes: Sizes, at: BlockRef): void {
    const before = this.#known.get(id) ?? [];
    const newest = before.at(-1);
    if (newest !== undefined && at.number <= newest.at.number) return;
    const since = newest === undefined ? 0n : at.number + 1n;
    this.#known.set(id, [...before, { at, since, sizes }].slice(-KEPT));
  }
}

/** Test of whether sizes are due. */
interface SizeCheck {
  readonly isFitting: boolean;
  readonly lastTry: bigint | undefined;
}
