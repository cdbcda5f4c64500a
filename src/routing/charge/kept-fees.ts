import type { Earner } from "../bound/earner.ts";
import type { Measured } from "../bound/measure.ts";
import { outerPrice, type Prices } from "../bound/outer-prices.ts";
import type { Session } from "../session/session.ts";
import { mostSold } from "./most-sold.ts";
import { partedPool } from "./parted-pool.ts";
import { inDearestParts } from "./parts.ts";
import { takersAt } from "./takers.ts";

/** Parts of what is open from which on it counts what a pool loses in parts, what takers lose by large ones, and what all pools lose. */
const VISIBLE = 0.01;
const HEAVY = 0.05;
const NOTICED = 0.1;

/**
 * What pools earn at most in a purchase that costs no more than a known one, above which these prices leave `open`. They
 * count each pool with the most that it can earn, so that one in which pools earn less by more than `open` costs more. A pool
 * is touched in parts, one for each that takes what it makes, and one that takes more than is best for it loses by that: what
 * the pool earns in parts less what they lose is no more than what it is counted with here. What one loses is taken off once,
 * from the pool that loses most of those that it takes from; for others it takes what it can without losing more than `open`.
 * The same where parts make no difference to speak of.
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
  const counted = new Map(earners.map(({ slot, profit }) => [slot, profit]));
  const takers = takersAt(session, prices, open, (slot) => counted.get(slot) ?? 0);
  /** Those whose losses are taken off. */
  const losing = new Set<number>();
  const losers = earners.filter((earner) => lossOf(earner) >= VISIBLE * open).sort((a, b) => lossOf(b) - lossOf(a));
  let lost = 0;
  for (const earner of losers) {
    const { slot, profit } = earner;
    // What such a one loses as a taker was told from all that it can earn.
    if (losing.has(slot)) continue;
    const edge = graph.edgeAt(slot);
    const [sellPrice, buyPrice] = [outerPrice(session, prices, edge.from), outerPrice(session, prices, edge.to)];
    const pool = partedPool(edge, sellPrice, buyPrice, mostSold(edge, sellPrice, buyPrice, profit - open));
    const isHeavy = lossOf(earner) >= HEAVY * open;
    const parted = inDearestParts(session, takers, edge, pool, isHeavy ? losing : undefined);
    if (!(parted.earned < profit)) continue;
    const { earned } = parted;
    for (const one of parted.losing) losing.add(one);
    counted.set(slot, earned);
    lost += profit - earned;
  }
  const earning = earners.map(({ slot }): Earner => ({ slot, profit: counted.get(slot) as number }));
  // Of more earners than a route can touch the sum is that of those that earn most: it stays no less than theirs.
  const sum = earners.length > maxFills ? proof : { ...proof, earned: proof.earned - lost };
  return { ...measured, earners: earning, proof: sum };
}
