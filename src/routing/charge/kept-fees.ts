import { NARROW } from "../../pools/pool-math.ts";
import type { Earner } from "../bound/earner.ts";
import type { Measured } from "../bound/measure.ts";
import { outerPrice, type Prices } from "../bound/outer-prices.ts";
import { TRUSTED_DEPTHS } from "../edges/depth.ts";
import type { Edge } from "../edges/edges.ts";
import type { Session } from "../session/session.ts";

/** Parts of what is open from which on it counts what a pool loses in parts, and what all pools lose. */
const VISIBLE = 0.005;
const NOTICED = 0.1;
/** How far a hyperbola is trusted, in depths and one more. */
const FARTHEST = 1 + TRUSTED_DEPTHS;
/** A logarithm of which a fee is next to nothing. */
const LONGEST = 100;

/**
 * What pools earn at most in a purchase that costs no more than a known one, above which these prices leave `open`. They
 * count each pool with all that it can earn, so that one in which a pool earns less by more than `open` costs more: no pool
 * sells more than `mostSold`. So a pool is touched in parts, one for each that takes what it makes, no larger than what that
 * one sells. The same where that makes no difference to speak of.
 */
export function inParts(session: Session, prices: Prices, measured: Measured, open: number): Measured {
  const { graph, sink, maxFills } = session;
  const { proof, earners } = measured;
  /** About: a constant product loses half of its fee of what it earns in parts without end. */
  const lossOf = ({ slot, profit }: Earner): number => {
    const { curve, depth, to } = graph.edgeAt(slot);
    return depth > 0 && to !== sink ? 0.5 * (curve.keptFee ?? 0) * profit : 0;
  };
  if (earners.reduce((sum, earner) => sum + lossOf(earner), 0) < NOTICED * open) return measured;
  const profits = new Map(earners.map(({ slot, profit }) => [slot, profit]));
  const least = (slot: number) => (profits.get(slot) ?? 0) - open;
  const taken = new Map<number, Float64Array>();
  let lost = 0;
  const earning = earners.map((earner): Earner => {
    if (lossOf(earner) < VISIBLE * open) return earner;
    const { slot, profit } = earner;
    const edge = graph.edgeAt(slot);
    const { from, to } = edge;
    if (!taken.has(to)) taken.set(to, mostTaken(session, prices, to, least));
    const sellPrice = outerPrice(session, prices, from);
    const buyPrice = outerPrice(session, prices, to);
    const most = mostSold(edge, sellPrice, buyPrice, profit - open);
    const earned = Math.min(profit, earnedInParts(edge, sellPrice, buyPrice, most, taken.get(to) as Float64Array));
    lost += profit - earned;
    return { slot, profit: earned };
  });
  // Of more earners than a route can touch the sum is that of those that earn most: it stays no less than theirs.
  const sum = earners.length > maxFills ? proof : { ...proof, earned: proof.earned - lost };
  return { ...measured, earners: earning, proof: sum };
}

/** What each edge out of a token may take of it at most where it has to earn so much, the largest first. */
function mostTaken(session: Session, prices: Prices, node: number, least: (slot: number) => number): Float64Array {
  const { start, to, edgeAt } = session.graph;
  const taken: number[] = [];
  const end = session.endOf(node);
  session.steps += end - (start[node] as number);
  const price = outerPrice(session, prices, node);
  for (let slot = start[node] as number; slot < end; slot++) {
    const target = to[slot] as number;
    if (!session.leadsOn(slot, node) || !session.usable(node, target) || !session.allowsSlot(slot)) continue;
    taken.push(mostSold(edgeAt(slot), price, outerPrice(session, prices, target), least(slot)));
  }
  return Float64Array.from(taken).sort().reverse();
}

/** At least the most that an edge can sell and still earn so much at these prices, which is no more than it can earn. */
function mostSold(
  { spot, depth, width, curve: real }: Edge,
  sellPrice: number,
  buyPrice: number,
  least: number,
): number {
  const gain = (spot * buyPrice) / sellPrice;
  if (depth > 0) {
    // A hyperbola that sells t - 1 depths earns (gain - gain / t - (t - 1)) * sellPrice * depth.
    const sum = gain + 1 - least / (sellPrice * depth);
    const stretch = (sum + Math.sqrt(Math.max(0, sum * sum - 4 * gain))) / 2;
    if (stretch <= FARTHEST) return (stretch - 1) * depth;
    // Behind that no rate is better than there.
    const slope = 1 - gain / FARTHEST ** 2;
    const over = sum - gain / FARTHEST - FARTHEST;
    return slope > 0 ? (FARTHEST - 1 + over / slope) * depth : Number.POSITIVE_INFINITY;
  }
  const curve = real.ceiling ?? real;
  if (!curve.concave) return Number.POSITIVE_INFINITY;
  // A concave curve pays no more than it begins with up to its width, and than NARROW of that behind it.
  const slope = 1 - NARROW * gain;
  return slope > 0 ? width + Math.max(0, (gain - 1) * width - least / sellPrice) / slope : curve.maxSell;
}

/**
 * The most, or more, that a constant product which keeps its fee earns at these prices where it sells no more than `most`
 * and makes for each of others no more than that one takes, of `taken`.
 *
 * It holds x of the token that it sells and y of the one that it buys. A touch that makes y smaller by a factor e^u makes x
 * larger by e^g(u) = 1 + (e^u - 1) / (1 - fee), whatever came before. So all touches together sell x * (e^(sum of g(u)) - 1)
 * and buy y * (1 - e^-(sum of u)). What one takes of y is no less than u times what of y is left at last. Since g is concave
 * and g(0) = 0, the touches for one sell no less than a single one would, and those for all no less than if those that take
 * most took as much as they can. Between these points g lies above its chords, which rise the more the less one takes: the
 * sum of g is no less than a convex function of the sum of u, and what is earned no more than a concave one, which is
 * largest where one more unit earns nothing.
 */
function earnedInParts(
  { spot, depth, curve }: Edge,
  sellPrice: number,
  buyPrice: number,
  most: number,
  taken: Float64Array,
): number {
  const share = 1 - (curve.keptFee as number);
  const sold = depth * share * sellPrice;
  const bought = spot * depth * buyPrice;
  const left = (spot * depth) / (1 + most / depth);
  let sum = 0;
  let into = 0;
  for (const one of taken) {
    const length = one / left;
    const slope = length < LONGEST ? Math.log1p(Math.expm1(length) / share) / length : 1;
    // From here on e^-sum * bought is worth slope * e^into * sold.
    const further = (Math.log(bought / (slope * sold)) - sum - into) / (1 + slope);
    const step = Math.min(Math.max(0, further), length);
    sum += step;
    into += slope * step;
    if (step < length) break;
  }
  return -bought * Math.expm1(-sum) - sold * Math.expm1(into);
}
