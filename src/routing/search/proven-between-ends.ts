import type { SwapOrder } from "../../domain/order.ts";
import { curveOf } from "../../pools/pool.ts";
import { mostProven } from "../bound/certificate.ts";
import { forcedEnds, paidThrough, takenThrough } from "../bound/forced-ends.ts";
import type { PriceProof } from "../bound/measure.ts";
import { outerPrice, PARCEL, spreadPrices } from "../bound/outer-prices.ts";
import { purchaseProof } from "../bound/purchase-proof.ts";
import { relax } from "../bound/relax.ts";
import type { Session } from "../session/session.ts";
import type { Evaluated } from "./integers.ts";

/** A search between two tokens of another one, over paths of so many pools fewer. */
export type Between = (source: number, sink: number, fewerHops: number) => Session;

/**
 * What no route does better than without gas, in base units of what the order does not give, where all routes have the same
 * pools at an end: these say in whole base units what the rest is given, or has to bring, of which prices prove the most or
 * the least, and what comes of that at the other end. Undefined where there are no such pools, or one does not take its amount.
 */
export function provenBetweenEnds(
  order: SwapOrder,
  session: Session,
  { value, flow }: Evaluated,
  between: Between,
): bigint | undefined {
  const { source, sink, head, tail } = forcedEnds(session, order.kind);
  const count = head.length + tail.length;
  if (count === 0) return undefined;
  const whole = source === sink;
  const inner = () => between(source, sink, count);
  if (order.kind === "exactIn") {
    const sold = paidThrough(session, head, order.sellAmount, true);
    if (sold === undefined) return undefined;
    const bought = whole ? sold : mostPaid(inner(), pricesIn(flow.logPrices, sink), sold);
    return bought === undefined ? undefined : paidThrough(session, tail, bought, false);
  }
  const bought = takenThrough(session, tail, order.buyAmount, true);
  const most = paidThrough(session, head, -value, false);
  if (bought === undefined || most === undefined) return undefined;
  const sold = whole ? bought : leastTaken(inner(), pricesIn(flow.logPrices, sink), bought, most);
  return sold === undefined ? undefined : takenThrough(session, head, sold, false);
}

/** Prices in units of one of the tokens, in the logarithm. */
function pricesIn(logPrices: ReadonlyMap<number, number>, node: number): ReadonlyMap<number, number> {
  const unit = logPrices.get(node) as number;
  return new Map(Array.from(logPrices, ([other, logPrice]) => [other, logPrice - unit]));
}

/** The most that a sale brings. */
function mostPaid(session: Session, logPrices: ReadonlyMap<number, number>, sellAmount: bigint): bigint | undefined {
  const amount = Number(sellAmount);
  const relaxed = relax(session, logPrices, amount);
  const { proof } = relaxed.measured;
  const most = mostProven(proof, { kind: "sell", amount, costPerGas: 0, maxFills: session.maxFills });
  const all = most + roundedFees(session, relaxed.logPrices, proof.sellPrice * amount);
  return Number.isFinite(all) ? BigInt(Math.floor(all)) : undefined;
}

/** The least that a purchase takes which takes no more than `mostSold`. */
function leastTaken(
  session: Session,
  logPrices: ReadonlyMap<number, number>,
  buyAmount: bigint,
  mostSold: bigint,
): bigint | undefined {
  const [amount, sellAmount] = [Number(buyAmount), Number(mostSold)];
  const relaxed = relax(session, logPrices, sellAmount, { purchase: { amount, mostSold: sellAmount } });
  const fees = roundedFees(session, relaxed.logPrices, amount);
  const leastBy = (proof: PriceProof) =>
    -mostProven(proof, { kind: "buy", amount, costPerGas: 0, maxFills: session.maxFills }) - fees / proof.sellPrice;
  const least = [relaxed.measured.proof, purchaseProof(session, relaxed.logPrices, sellAmount, amount)]
    .map(leastBy)
    .filter((one) => Number.isFinite(one));
  return least.length === 0 ? undefined : BigInt(Math.ceil(Math.max(...least)));
}

/**
 * What a route may gain at most, in bought units, where pools round their fees down: less than a base unit of what
 * it sells in each touch. Bounds do not count that, but one in whole base units would grow by a whole one.
 */
function roundedFees(session: Session, logPrices: ReadonlyMap<number, number>, worth: number): number {
  const { graph, source, sink, maxFills } = session;
  const tokens = new Set(
    graph.pools.flatMap((pool) => (pool !== undefined && curveOf(pool).roundsFeeDown ? pool.tokens : [])),
  );
  if (tokens.size === 0) return 0;
  const prices = spreadPrices(session, logPrices, { parcel: PARCEL * worth });
  let dearest = 0;
  for (const token of tokens) {
    const node = graph.nodeOf(token);
    if (node === undefined || (graph.dead[node] === 1 && node !== source && node !== sink)) continue;
    dearest = Math.max(dearest, outerPrice(session, prices, node));
  }
  return maxFills * dearest;
}
