import { z } from "zod";
import type { Address } from "../domain/address.ts";
import { MAX_UINT128 } from "../math/full-math.ts";
import { capacityOf } from "../pools/levels/ladder.ts";
import type { Level, LevelsState } from "../pools/levels/state.ts";
import { amountText, tokenText } from "./numbers.ts";

/** Levels of a maker for one pair. */
export interface PairLevels {
  readonly base: Address;
  readonly quote: Address;
  /** Token 0 is the base token: bids take it in, asks give it. */
  readonly state: LevelsState;
}

export const MAX_PAIRS = 1_000;
export const MAX_LEVELS = 50;

/** [amount of the base token, amount of the quote token that it is traded for] */
const LEVEL = z.tuple([amountText, amountText]);
const SIDE = z.array(LEVEL).max(MAX_LEVELS);

const MESSAGE = z.object({
  type: z.literal("levels"),
  chainId: z.int().positive(),
  pairs: z.array(z.object({ base: tokenText, quote: tokenText, bids: SIDE, asks: SIDE })).max(MAX_PAIRS),
});

/**
 * All that a maker would trade now, as its message says. The message holds as a whole or not at all.
 * @throws Error saying which rule of docs/makers.md it breaks
 */
export function readLevels(message: unknown, chainId: number): readonly PairLevels[] {
  const result = MESSAGE.safeParse(message);
  if (!result.success) {
    const [issue] = result.error.issues;
    throw new Error(`${issue?.path.join(".")} ${issue?.message}`);
  }
  if (result.data.chainId !== chainId) throw new Error(`chainId is ${result.data.chainId} instead of ${chainId}`);
  const seen = new Set<string>();
  return result.data.pairs.map(({ base, quote, bids, asks }) => {
    const where = `pair ${base} ${quote}`;
    if (base === quote) throw new Error(`${where}: a token against itself`);
    const key = [base, quote].sort().join();
    if (seen.has(key)) throw new Error(`${where}: named twice`);
    seen.add(key);
    const state: LevelsState = {
      bids: bids.map(([takerAmount, makerAmount]) => ({ takerAmount, makerAmount })),
      asks: asks.map(([makerAmount, takerAmount]) => ({ takerAmount, makerAmount })),
    };
    const wrong = faultOf(state);
    if (wrong !== undefined) throw new Error(`${where}: ${wrong}`);
    return { base, quote, state };
  });
}

/** Rule that a pair's levels break; undefined if none. */
export function faultOf({ bids, asks }: Pick<LevelsState, "bids" | "asks">): string | undefined {
  for (const [name, levels] of Object.entries({ bids, asks })) {
    if (!levels.every((level, i) => i === 0 || !isBetter(level, levels[i - 1] as Level))) {
      return `${name} are not in order, the best first`;
    }
    const { takerAmount, makerAmount } = capacityOf(levels);
    if (takerAmount > MAX_UINT128 || makerAmount > MAX_UINT128) return `${name} are more than 2^128 in sum`;
  }
  const [bid, ask] = [bids[0], asks[0]];
  if (bid === undefined || ask === undefined) return undefined;
  // Base units sold at the bid and bought back at the ask must not come back as more.
  return bid.makerAmount * ask.makerAmount > bid.takerAmount * ask.takerAmount ? "bids are above asks" : undefined;
}

function isBetter(level: Level, than: Level): boolean {
  return level.makerAmount * than.takerAmount > than.makerAmount * level.takerAmount;
}
