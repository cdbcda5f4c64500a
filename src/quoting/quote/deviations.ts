import type { Address } from "../../domain/address.ts";
import { fillsOf, type PoolId, type Route } from "../../domain/route.ts";
import type { SourceId } from "../../domain/source.ts";
import type { LiquiditySource } from "../../market/liquidity-source.ts";
import type { MarketGraph } from "../../market/pool-store.ts";
import { movesWithTime } from "../../pools/moves-with-time.ts";
import { curveOf } from "../../pools/pool.ts";

/**
 * Amounts of a block's own second hold to the wei. Of pools that move with time a second later they differ by no more than
 * one part in so many: of what changes by the second a Curve pool's amplification changes most, tenfold in a day, which is
 * one part in 37,000, and amounts with it by less.
 */
const PARTS_PER_SECOND = 100_000n;

/** Reasons for which a route may pay otherwise than promised although nobody trades. */
export interface Tolerance {
  /** Time alone. */
  readonly moves: boolean;
  /** Donations to its pools may be taken, and go to the taker. */
  readonly takesDonations: boolean;
  /** Exact outputs of its pools may bring so much more of what is bought at most, which goes to the taker. Absent: nothing. */
  readonly beyond?: bigint;
  /** The sold token keeps balances as rounded shares: a transfer may move some units less than it names. */
  readonly roundsSold?: boolean;
}

/** Units that a transfer of rounded shares may move less than it names: those of a share on either side. */
const MAX_ROUNDED = 4n;

/** Amounts that were moved, or promised, in base units. */
interface Moved {
  readonly bought: bigint;
  readonly sold: bigint;
}

/** Amount of a run that is not as promised: with donations more may be bought and less sold, with exact outputs a little more bought, never otherwise. */
export function deviatingSide(
  actual: Moved,
  promised: Moved,
  {
    secondsLater,
    moves,
    takesDonations,
    beyond = 0n,
    roundsSold = false,
  }: Tolerance & { readonly secondsLater: bigint },
): "bought" | "sold" | undefined {
  const isKept = (side: "bought" | "sold") => isWithinTolerance(actual[side], promised[side], secondsLater, moves);
  const more = actual.bought - promised.bought;
  if (!isKept("bought") && !(more > 0n && (takesDonations || more <= beyond))) return "bought";
  const isRounded = roundsSold && actual.sold <= promised.sold && promised.sold - actual.sold <= MAX_ROUNDED;
  if (!isKept("sold") && !isRounded && !(takesDonations && actual.sold < promised.sold)) return "sold";
  return undefined;
}

/** Reasons that may change the payment of a route although nobody trades. */
export function toleranceOf(route: Route, graph: Pick<MarketGraph, "pool">, sources: Donated): Tolerance {
  const takesDonations = fillsOf(route).some(({ source }) => sources.get(source)?.takesDonations === true);
  const uses = route.fills.map(({ poolId, buyToken }) => ({ pool: poolId, to: buyToken }));
  const beyond = route.kind === "exactIn" ? 0n : mostBeyond(uses, route.buyToken, graph);
  return { moves: routeMoves(route, graph), takesDonations, beyond };
}

/** The most that uses of pools in an exact output may bring of what is bought beyond what is promised. */
export function mostBeyond(
  uses: readonly { readonly pool: PoolId; readonly to: Address }[],
  buyToken: Address,
  graph: Pick<MarketGraph, "pool">,
): bigint {
  return uses.reduce((sum, { pool: id, to }) => {
    const pool = to === buyToken ? graph.pool(id) : undefined;
    if (pool === undefined) return sum;
    return sum + (curveOf(pool).mostBeyond?.(pool.state, pool.tokens.indexOf(buyToken)) ?? 0n);
  }, 0n);
}

/** Sources by name, as far as donations go. */
type Donated = ReadonlyMap<SourceId, Pick<LiquiditySource, "takesDonations">>;

/** Whether `actual` is what was promised, seen so many seconds after the time of the promise. */
export function isWithinTolerance(actual: bigint, promised: bigint, secondsLater: bigint, moves: boolean): boolean {
  if (!moves || secondsLater === 0n) return actual === promised;
  const apart = actual > promised ? actual - promised : promised - actual;
  return apart * PARTS_PER_SECOND <= promised * secondsLater + PARTS_PER_SECOND;
}

/** Whether time alone may change what a route pays. */
function routeMoves(route: Route, graph: Pick<MarketGraph, "pool">): boolean {
  return fillsOf(route).some(({ poolId }) => {
    const pool = graph.pool(poolId);
    return pool !== undefined && movesWithTime(pool);
  });
}
