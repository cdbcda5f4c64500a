import { mathOf } from "../../pools/pool.ts";
import { isRejection } from "../../pools/pool-math.ts";
import type { Edge } from "../edges/edges.ts";
import type { Search } from "../session/search.ts";

/** Base units below which pools' rounding is part of the choice. */
export const COARSE = 1e6;
/** What a pool really pays for an amount, where its curve says `pays`. */
export type Rounding = (search: Search, edge: Edge, sellAmount: number, pays: number) => number;

/** As the pool's integers have it, where that makes a difference: they round what is paid, and some round their fee. */
export const exactly: Rounding = ({ time }, { pool, direction }, sellAmount, pays) => {
  if (pays >= COARSE && sellAmount >= COARSE) return pays;
  const quote = mathOf(pool).quoteExactIn(pool.state, direction, BigInt(Math.floor(sellAmount)), time);
  if (!isRejection(quote)) return Number(quote.amount);
  return quote.rejected === "TOO_SMALL" ? 0 : Math.floor(pays);
};
