import { type ChargedFlow, chargedFlow } from "./charged-flow.ts";
import { type Goal, isBetter } from "./goal.ts";
import { linkUp } from "./link-up.ts";
import { type Measured, measure, sumOf } from "./measure.ts";
import { UNLIMITED } from "./most-earned.ts";
import { outerPrice, PARCEL, type Prices, spreadPrices } from "./outer-prices.ts";
import { prune } from "./prune.ts";
import { withoutCycles } from "./repair.ts";
import type { Proven } from "./search.ts";
import type { Session } from "./session.ts";
import { type Settled, settle } from "./settled.ts";
import { connected } from "./support.ts";
import { thinOut } from "./thin-out.ts";

/** How closely the kinks of pools are followed in each round, as parts of the charge, and how far prices may move, in the logarithm. */
const ROUNDS = [
  { width: 0.5, reach: 1 },
  { width: 0.3, reach: 0.5 },
  { width: 0.1, reach: 0.5 },
];
/** Part of the charge below which nobody looks at what a pool earns. */
const NOTICED = 0.25;
/** The most that a parcel is worth that tokens around are priced with, likewise. */
const SMALL = 0.1;
/** Tokens whose prices are minimised over together. */
const MOST_NODES = 600;

/**
 * An amount to sell over more pools than a route may touch: besides its gas each touch is charged what the last one of them
 * is worth, a multiplier of the limit. The dual with that charge is minimised from the prices of the trade without limits,
 * over prices and charge at once; the pools that it takes are solved together and thinned out.
 */
export function crowdedFlow(
  session: Session,
  goal: Goal,
  { relaxed, proof }: Proven,
  first: Settled,
): Proven & { readonly flow: Settled | undefined } {
  const { source, sink, graph } = session;
  const { maxFills, costPerGas } = goal;
  const { sellAmount } = first;
  let { logPrices } = relaxed;
  let best: Proven = { relaxed, proof };
  const profits = relaxed.measured.earners.map(({ slot, profit }) => profit - (graph.gas[slot] as number) * costPerGas);
  let charge = profits.sort((a, b) => b - a)[Math.min(maxFills, profits.length) - 1] ?? 0;
  if (!(charge > 0)) return { ...best, flow: undefined };
  let charged: ChargedFlow | undefined;
  for (const round of ROUNDS) {
    if (session.over()) break;
    charged = chargedFlow(session, {
      ...round,
      amount: sellAmount,
      mostTouches: maxFills,
      costPerGas,
      logPrices,
      charge,
    });
    ({ logPrices, charge } = charged);
    const worth = sellAmount * Math.exp(logPrices.get(source) as number);
    const prices = spreadPrices(session, logPrices, Math.min(PARCEL * worth, SMALL * charge), NOTICED * charge);
    const measured = measure(session, prices, costPerGas, sellAmount, UNLIMITED, [], NOTICED * charge);
    // The prices of the trade without gas stay what they are where gas counts: what a route can hold is worked out from them.
    if (sumOf(measured.proof, sellAmount) < sumOf(best.proof, sellAmount))
      best = { relaxed: costPerGas > 0 ? relaxed : { ...relaxed, measured, logPrices }, proof: measured.proof };
    logPrices = withEarning(session, measured, prices, logPrices, charge);
  }
  if (charged === undefined) return { ...best, flow: undefined };
  const worth = sellAmount * Math.exp(charged.logPrices.get(source) as number);
  const edges = [...new Set([...linkUp(session, charged, worth), ...first.support.edges])];
  const fitting = connected(session, withoutCycles(edges, source, sink));
  const whole = settle(session, fitting, { kind: "sell", amount: sellAmount }, charged.logPrices);
  const flow = whole && prune(session, goal, thinOut(session, goal, whole));
  return { ...best, flow: flow && isBetter(session, goal, flow, first) ? flow : undefined };
}

/** These prices and those of the tokens at which a pool earns more than the charge. */
function withEarning(
  session: Session,
  { earners }: Measured,
  prices: Prices,
  logPrices: ReadonlyMap<number, number>,
  charge: number,
): Map<number, number> {
  const { from, to } = session.graph;
  const all = new Map(logPrices);
  for (const { slot, profit } of earners)
    for (const node of [from[slot] as number, to[slot] as number])
      if (profit > charge && !all.has(node) && all.size < MOST_NODES)
        all.set(node, Math.log(outerPrice(session, prices, node)));
  return all;
}
