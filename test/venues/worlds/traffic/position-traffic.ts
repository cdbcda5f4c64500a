import type { PoolRef } from "../../../../src/market/liquidity-source.ts";
import type { Random } from "./random.ts";

/** A pool of concentrated liquidity that positions lie about: `middle` is in spacings of ticks. */
export interface Busy {
  readonly pool: PoolRef;
  readonly spacing: number;
  readonly middle: number;
}

/** Operations on pools. */
interface Hands {
  mint(pool: PoolRef, lower: number, upper: number, liquidity: bigint): Promise<unknown>;
  burn(pool: PoolRef, lower: number, upper: number, liquidity: bigint): Promise<unknown>;
  swapExactIn(pool: PoolRef, zeroForOne: boolean, amount: bigint): Promise<unknown>;
}

/**
 * Traffic of one block: up to four times a position comes or the last one goes, one of `others` is done, or something
 * is swapped.
 */
export function createPositionTraffic(
  random: Random,
  busy: readonly Busy[],
  hands: Hands,
  others: readonly ((pool: PoolRef) => Promise<unknown>)[],
): () => Promise<void> {
  const positions: Parameters<Hands["mint"]>[] = [];
  return async () => {
    for (let count = random.int(0, 4); count > 0; count--) {
      const { pool, spacing, middle } = busy[random.int(0, busy.length - 1)] as Busy;
      const kind = random.int(0, 8 + others.length);
      const last = positions.at(-1);
      if (kind < 4 || last === undefined) {
        const lower = (middle + random.int(-40, 30)) * spacing;
        const position: Parameters<Hands["mint"]> = [
          pool,
          lower,
          lower + random.int(1, 60) * spacing,
          random.ofBits(80),
        ];
        positions.push(position);
        await hands.mint(...position);
      } else if (kind < 6) {
        positions.pop();
        await hands.burn(...last);
      } else {
        const other =
          others[kind - 6] ?? ((of: PoolRef) => hands.swapExactIn(of, random.chance(0.5), random.ofBits(82)));
        await other(pool);
      }
    }
  };
}
