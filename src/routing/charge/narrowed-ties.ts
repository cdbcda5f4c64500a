import { mostEarnedAfterGas } from "../bound/most-earned.ts";
import { outerPrice, type Prices } from "../bound/outer-prices.ts";
import { TRUSTED } from "../edges/depth.ts";
import type { Session } from "../session/session.ts";
import { isOfEveryRoute, numbersOfTies, type Tie } from "./ties.ts";

/**
 * The first step of the logarithm of a token's price, each next one twice as far, and how many there may be: a trade of many
 * times what a pool holds leaves its tokens worth some hundred times what they were against each other.
 */
const FIRST_STEP = 0.01;
const MOST_STEPS = 10;
/** Slots of a token at which it is worth a look: at another price of a hub most of its pools earn. */
const MOST_SLOTS = 512;
/** Part of the charge that a pool may earn where a route is judged at another price, and that the charge may fall to then. */
export const LEAST_LEFT = 0.8;

/** Prices, and what touches are charged there, in bought units. */
export interface Charges {
  readonly prices: Prices;
  readonly charge: number;
  readonly costPerGas: number;
  /** What a pool may earn unseen: ties together take no more than the rest of the charge off that of an edge. */
  readonly unnamed: number;
}

/** A tie that asks for fewer, and the price of its token at which routes are judged that touch none of them. */
interface Narrowed {
  readonly price: number;
  readonly asked: Set<number>;
}

const { POSITIVE_INFINITY: FREE } = Number;

/**
 * The same ties, of which those at tokens with few pools ask for those pools alone that can do what is needed. Each route may
 * be judged at prices of its own: one that touches no such pool at another price of this token, at which no pool that bears
 * the tie earns its charge, nor any on the other side but those that are asked for. So nothing that it touches there counts
 * for anything, and no tie of this token is needed. Edges whose other end has a tie that they meet may earn no
 * more than `unnamed`, since that one leaves no more of their charge. Where both ends of an edge are judged so, it lies
 * between their other prices. Without that one of many small pools, which brings next to nothing, would meet the ties of
 * both its ends for one charge.
 */
export function narrowedTies(session: Session, charges: Charges, ties: readonly Tie[]): Tie[] {
  const { to, start } = session.graph;
  const numberOf = numbersOfTies(ties);
  const narrowed = ties.map((tie) => narrowedAt(session, charges, tie, numberOf));
  ties.forEach(({ node, isInto }, k) => {
    const one = narrowed[k];
    if (isInto || one === undefined) return;
    for (let slot = start[node] as number; slot < (start[node + 1] as number); slot++) {
      const other = narrowed[numberOf(to[slot] as number, true) ?? -1];
      if (other === undefined || one.asked.has(slot) || other.asked.has(slot)) continue;
      if (earnsMore(session, charges, slot, one.price, other.price, LEAST_LEFT * charges.charge)) one.asked.add(slot);
    }
  });
  return ties.map((tie, k) => ({ ...tie, asked: narrowed[k]?.asked }));
}

/** Undefined where a tie asks for all on its side. */
function narrowedAt(
  session: Session,
  charges: Charges,
  tie: Tie,
  numberOf: (node: number, isInto: boolean) => number | undefined,
): Narrowed | undefined {
  const { node, isInto } = tie;
  const { source, sink, graph } = session;
  const { start, to, twin, dead } = graph;
  const [first, end] = [start[node] as number, start[node + 1] as number];
  if (isOfEveryRoute(tie) || end - first > MOST_SLOTS) return undefined;
  session.steps += end - first;
  const { prices, charge, unnamed } = charges;
  /** Slots out of the token, whose twins lead into it. */
  const away: number[] = [];
  for (let slot = first; slot < end; slot++) {
    const other = to[slot] as number;
    if (dead[other] === 0 || other === source || other === sink) away.push(slot);
  }
  /** Whether a pool to or from another token counts at a price of this one. */
  const counts = (slot: number, leadsOut: boolean, price: number): boolean => {
    const other = to[slot] as number;
    const most = numberOf(other, leadsOut) === undefined ? LEAST_LEFT * charge : unnamed;
    const otherPrice = outerPrice(session, prices, other);
    return leadsOut
      ? earnsMore(session, charges, slot, price, otherPrice, most)
      : earnsMore(session, charges, twin[slot] as number, otherPrice, price, most);
  };
  let price = outerPrice(session, prices, node);
  let bearing = away.filter((slot) => counts(slot, isInto, price));
  for (let i = 0, step = FIRST_STEP; bearing.length > 0; i++, step *= 2) {
    if (i === MOST_STEPS) return undefined;
    price *= Math.exp(isInto ? step : -step);
    bearing = bearing.filter((slot) => counts(slot, isInto, price));
  }
  const asked = away.filter((slot) => counts(slot, !isInto, price));
  return { price, asked: new Set(isInto ? asked.map((slot) => twin[slot] as number) : asked) };
}

/** Whether the edge in a slot earns more than so much after its gas, at these prices of its ends. */
function earnsMore(
  session: Session,
  { costPerGas }: Charges,
  slot: number,
  sellPrice: number,
  buyPrice: number,
  most: number,
): boolean {
  const { from, to, spot, deepest, gas, edgeAt } = session.graph;
  const paid = (spot[slot] as number) * buyPrice;
  if (!(paid > sellPrice) || !session.usable(from[slot] as number, to[slot] as number)) return false;
  const short = 1 - Math.sqrt(sellPrice / paid);
  const cost = (gas[slot] as number) * costPerGas;
  if (short < TRUSTED && paid * (deepest[slot] as number) * short * short - cost <= most) return false;
  if (!session.allowsSlot(slot)) return false;
  const best = mostEarnedAfterGas(edgeAt(slot), sellPrice, buyPrice, costPerGas, FREE, FREE);
  return best.buyAmount * buyPrice - best.sellAmount * sellPrice - best.gas * costPerGas > most;
}
