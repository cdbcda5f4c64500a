import type { Earner } from "../bound/earner.ts";
import type { Measured } from "../bound/measure.ts";
import { depthAbout } from "../edges/depth.ts";
import { descend } from "../flow/descent.ts";
import { slotsAmong } from "../session/edges-among.ts";
import type { Session } from "../session/session.ts";
import { type ChargedEdge, type ChargedTrade, chargedDual, LEAST_CHARGE } from "./charged-dual.ts";
import type { NearSlots } from "./near-slots.ts";
import type { Tie } from "./ties.ts";

/** How many times as much the charge may become as it was at first. */
const MOST_CHARGE = 8;
/** What a further step promises, or a step leads down by, that is not worth more: as a part of what the rounding of kinks is worth, or of the trade. */
const CLOSE = 0.05;
const CLOSEST = 1e-6;
const SLOW = 1e-5;
/** Part of the charge that a pool has to earn then for it to be minimised over. */
const LEAST_NEAR = 0.2;
/** How many times all of the trade a pool may be taken to carry. */
const FULL = 2;

type NearTrade = Pick<ChargedTrade, "amount" | "logPrices" | "reach" | "charge">;

/** Prices and a charge for each touch that were minimised over, and the edges that are touched at least in part there. */
export interface ChargedFlow {
  /** Logarithms, in bought units. */
  readonly logPrices: ReadonlyMap<number, number>;
  /** In bought units. */
  readonly charge: number;
  readonly touched: readonly ChargedEdge[];
  /** The trade's ties with the multipliers that were found. */
  readonly ties: readonly Tie[];
}

/** Minimises the dual of a trade of which a route may make no more than so many touches, over the tokens that have a price. */
export function chargedFlow(session: Session, trade: ChargedTrade, near: NearSlots): ChargedFlow {
  const { amount, logPrices: start, reach, charge, width, ties } = trade;
  const dual = chargedDual(session, trade, near);
  const prices = dual.nodes.length;
  const from = Float64Array.from([
    ...dual.nodes.map((node) => start.get(node) ?? 0),
    1,
    ...ties.map((tie) => tie.multiplier / charge),
  ]);
  const worth = amount * Math.exp(start.get(session.source) as number);
  const { at } = descend(
    {
      dual,
      least: from.map((one, i) => (i < prices ? one - reach : i === prices ? LEAST_CHARGE : 0)),
      most: from.map((one, i) => (i < prices ? one + reach : MOST_CHARGE)),
      isEnough: () => false,
      isClose: (promise) => promise <= Math.max(CLOSEST * worth, CLOSE * width * charge),
      slow: SLOW * worth,
      over: session.over,
    },
    from,
  );
  const logPrices = new Map(start);
  dual.nodes.forEach((node, i) => {
    logPrices.set(node, at[i] as number);
  });
  return {
    logPrices,
    charge: charge * (at[prices] as number),
    touched: dual.touched(),
    ties: ties.map((tie, k) => ({ ...tie, multiplier: charge * (at[prices + 1 + k] as number) })),
  };
}

/**
 * The slots at some tokens that may be worth a touch once prices have moved as far as they may, taken as hyperbolas: where
 * one earns more than that, it is seen when the prices are measured. No pool carries more than all of the trade, so that
 * the prices of two tokens do not move farther than what that does to the deepest pool between them.
 */
export function slotsNear(
  session: Session,
  { amount, logPrices, reach, charge }: NearTrade,
  fresh: readonly number[],
): readonly number[] {
  const { from, to, spot, depth, width } = session.graph;
  const { place } = session.workspace;
  const worth = amount * Math.exp(logPrices.get(session.source) as number);
  const nodes = [...logPrices.keys()];
  const size = nodes.length;
  const prices = Float64Array.from(nodes, (node) => Math.exp(logPrices.get(node) as number));
  const slots = slotsAmong(session, logPrices, fresh, Math.exp(-reach), () => true);
  nodes.forEach((node, i) => {
    place[node] = i;
  });
  const sellers = slots.map((slot) => place[from[slot] as number] as number);
  const buyers = slots.map((slot) => place[to[slot] as number] as number);
  for (const node of nodes) place[node] = -1;
  const about = slots.map((slot) => depthAbout(depth[slot] as number, width[slot] as number));
  /** Which of the slots is the deepest of each pair of tokens, one more; 0 where there is none. */
  const deepest = new Int32Array(size * size);
  for (let i = 0; i < slots.length; i++) {
    const pair = (sellers[i] as number) * size + (buyers[i] as number);
    const other = (deepest[pair] as number) - 1;
    if (other < 0 || (about[i] as number) > (about[other] as number)) deepest[pair] = i + 1;
  }
  /** The ratio of prices down to which those of each pair may move, where that is known. */
  const rates = new Float64Array(size * size);
  const down = Math.exp(-reach);
  const least = LEAST_NEAR * charge;
  const isNear = (slot: number, i: number): boolean => {
    const seller = sellers[i] as number;
    const buyer = buyers[i] as number;
    const pair = seller * size + buyer;
    const widest = (deepest[pair] as number) - 1;
    if (i === widest) return true;
    const sellPrice = prices[seller] as number;
    const buyPrice = prices[buyer] as number;
    if (rates[pair] === 0) {
      const stretch = 1 + (FULL * worth) / ((about[widest] as number) * sellPrice);
      const best = spot[slots[widest] as number] as number;
      rates[pair] = Math.max((sellPrice / buyPrice) * down, best / stretch ** 2);
    }
    const rate = rates[pair] as number;
    const best = spot[slot] as number;
    if (rate >= best) return false;
    const short = 1 - Math.sqrt(rate / best);
    return best * buyPrice * (about[i] as number) * short * short > least;
  };
  return slots.filter((slot, i) => isNear(slot, i) && isConcave(session, slot));
}

/** The slots between tokens that have a price of those pools that earn enough to be minimised over. */
export function slotsEarning(
  session: Session,
  { earners }: Measured,
  logPrices: ReadonlyMap<number, number>,
  charge: number,
): readonly number[] {
  const { from, to } = session.graph;
  const isKnown = (slot: number) => logPrices.has(from[slot] as number) && logPrices.has(to[slot] as number);
  const isEarning = ({ slot, profit }: Earner) =>
    profit > LEAST_NEAR * charge && isKnown(slot) && isConcave(session, slot);
  return earners.filter(isEarning).map(({ slot }) => slot);
}

function isConcave({ graph: { depth, edgeAt } }: Session, slot: number): boolean {
  if ((depth[slot] as number) > 0) return true;
  const { curve } = edgeAt(slot);
  return (curve.ceiling ?? curve).concave;
}
