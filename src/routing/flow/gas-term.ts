import { stretchOf } from "../../pools/float/stretch-of.ts";
import { type Edge, isStepped } from "../edges/edges.ts";
import { hyperbolaAt, mostEarned, type Room, tradeAt } from "../edges/trade-at.ts";
import { gasAtPrice, type Search } from "../session/search.ts";
import type { FlowDual, FlowPoint } from "./flow-dual.ts";

/**
 * Gas as a term of a trade's dual: an edge counts with max(0, what it earns - its gas). The kink of each max is rounded upwards
 * within `width` parts of the gas, so that Newton steps can be taken. No edge sells or buys more than there is `room` for.
 */
export interface GasTerm {
  readonly room: Room;
  readonly width: number;
}

/** Use of a pool, in bought units except for the gas itself. */
export interface PoolUse {
  readonly paid: number;
  readonly earned: number;
  readonly gas: number;
  /** Earnings after gas. */
  readonly profit: number;
  /** Second derivative of these by the logarithm of the ratio of prices. */
  readonly slope: number;
}

/** Prices of what an edge sells and buys, and bought units per unit of gas. */
export interface UsePrices {
  readonly sell: number;
  readonly buy: number;
  readonly gas: number;
}

/** A pool use costs at least this part of the trade's value: what costs nothing has no kink to be rounded. */
const MIN_GAS = 1e-9;
/** Part of its gas below which it is not worked out what an edge earns. */
const FAR = 0.5;

/** Whether a concave edge may earn more than a cost at these prices, within the room at its ends: told without its curve. */
export function mayEarn(
  { spot, deepest }: Pick<Edge, "spot" | "deepest">,
  { sell, buy }: Pick<UsePrices, "sell" | "buy">,
  mostSold: number,
  mostBought: number,
  cost: number,
): boolean {
  const best = spot * buy;
  if (!(best > sell)) return false;
  // All that there is room for, at the best rate, earns no less; nor does the deepest hyperbola.
  if ((best - sell) * Math.min(mostSold, mostBought / spot) <= cost) return false;
  const short = 1 - Math.sqrt(sell / best);
  return best * deepest * short * short > cost;
}

/**
 * Measures the dual of a trade with gas over edges, as a FlowDual does: at `prices`, that of the given token at `givenAt`.
 * `reach`: a kink that the next step may meet counts as a slope before it: the parabola with this bend meets max(0, x) and
 * stays above it.
 */
export function measureAfterGas(
  search: Search,
  { from, to, givenAt, reach }: Pick<FlowDual, "from" | "to" | "givenAt" | "reach">,
  edges: readonly Edge[],
  { amount, gas: { room, width } }: { readonly amount: number; readonly gas: GasTerm },
  prices: Float64Array,
  point: FlowPoint,
): void {
  const { gradient, sells, profits, carried, slopes } = point;
  const worth = (prices[givenAt] as number) * amount;
  const perGas = gasAtPrice(search, prices[givenAt] as number);
  const trade = new Float64Array(3);
  const rooms = new Float64Array(prices.length).fill(-1);
  const roomAt = (index: number, node: number) => {
    if ((rooms[index] as number) < 0) rooms[index] = room(node);
    return rooms[index] as number;
  };
  for (const numbers of [gradient, sells, profits, carried, slopes]) numbers.fill(0);
  gradient[givenAt] = worth;
  point.value = worth;
  for (let i = 0; i < edges.length; i++) {
    const edge = edges[i] as Edge;
    const [a, b] = [from[i] as number, to[i] as number];
    const at = { sell: prices[a] as number, buy: prices[b] as number, gas: perGas };
    const [mostSold, mostBought] = [roomAt(a, edge.from), roomAt(b, edge.to)];
    const cost = edge.gas * perGas;
    const half = width * (cost + MIN_GAS * worth);
    if (!mayEarn(edge, at, mostSold, mostBought, Math.max(0, Math.min(FAR * cost, cost - half)))) continue;
    search.work.steps++;
    askWithin(edge, at.sell / at.buy, mostSold, mostBought, trade);
    const stretches = isStepped(edge) ? edge.curve.gasStretches?.(trade[0] as number) : undefined;
    const use = useOver(
      stretches ?? [Number.POSITIVE_INFINITY, 0, edge.gas],
      trade,
      at,
      width,
      width * MIN_GAS * worth,
    );
    const { paid, earned, gas, profit } = use;
    const off = Math.max(half, Math.abs(profit));
    const isPart = Math.abs(profit) < half;
    const part = isPart ? (profit + half) / (2 * half) : Number(profit > 0);
    const bend = isPart || off <= reach * earned ? 1 / (2 * off) : 0;
    point.value += isPart ? half * part * part : part * profit;
    // A whole use sells that.
    sells[i] = paid / at.sell;
    profits[i] = profit;
    carried[i] = part * paid;
    slopes[i] = part * use.slope + bend * paid * earned;
    gradient[a]! -= part * paid;
    gradient[b]! += part * earned;
    if (search.side === "exactOut") gradient[givenAt]! -= part * gas * perGas;
  }
}

/** Writes the trade with the largest earnings on an edge at this price ratio into `trade`, in the form of curves. */
function askWithin(edge: Edge, rate: number, mostSold: number, mostBought: number, trade: Float64Array): void {
  if (!hyperbolaAt(edge.spot, edge.depth, rate, trade)) tradeAt(edge.curve.ceiling ?? edge.curve, rate, trade);
  if ((trade[0] as number) <= mostSold && (trade[1] as number) <= mostBought) return;
  const { sellAmount, buyAmount } = mostEarned(edge, rate, mostSold, mostBought);
  trade[0] = sellAmount;
  trade[1] = buyAmount;
  trade[2] = 0;
}

/**
 * Computes a pool use with constant gas over each stretch of amounts. The best trade before gas, `trade`
 * as curves write it, lies in one of the stretches. At the end of each before that one a pool use goes on if its further
 * earnings are worth the further gas. So from that stretch on backwards
 *
 *   profit from k on = earned in k - paid in k - (gas of k - gas of k-1) + max(0, profit from k+1 on)
 *
 * The kink of each max is rounded upwards within `width` parts of that gas and `least`; where that counts, the pool use goes on
 * in part.
 */
export function useOver(
  stretches: readonly number[],
  trade: Float64Array,
  prices: UsePrices,
  width: number,
  least: number,
): PoolUse {
  let sold = trade[0] as number;
  let bought = trade[1] as number;
  let [paid, earned, gas, profit, slope] = [0, 0, 0, 0, (trade[2] as number) * prices.sell];
  for (let at = stretchOf(stretches, sold); ; at -= 3) {
    const soldBefore = at === 0 ? 0 : (stretches[at - 3] as number);
    const boughtBefore = at === 0 ? 0 : (stretches[at - 2] as number);
    const more = (stretches[at + 2] as number) - (at === 0 ? 0 : (stretches[at - 1] as number));
    const here = (sold - soldBefore) * prices.sell;
    const brings = (bought - boughtBefore) * prices.buy;
    profit += brings - here - more * prices.gas;
    paid += here;
    earned += brings;
    gas += more;
    if (at === 0) break;
    sold = soldBefore;
    bought = boughtBefore;
    const half = width * more * prices.gas + least;
    if (profit >= half) continue;
    const part = Math.max(0, profit + half) / (2 * half);
    slope = part * slope + (part > 0 ? (paid * earned) / (2 * half) : 0);
    profit = half * part * part;
    paid *= part;
    earned *= part;
    gas *= part;
  }
  return { paid, earned, gas, profit, slope };
}
