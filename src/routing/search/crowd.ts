import { type Measured, measure, sumOf } from "../bound/measure.ts";
import { UNLIMITED } from "../bound/most-earned.ts";
import { outerPrice, PARCEL, type Prices, spreadPrices } from "../bound/outer-prices.ts";
import type { ChargedTrade } from "../charge/charged-dual.ts";
import { type ChargedFlow, chargedFlow, slotsNear } from "../charge/charged-flow.ts";
import { tiedProof } from "../charge/tied-proof.ts";
import { brokenTies } from "../charge/ties.ts";
import type { Edge } from "../edges/edges.ts";
import { type Goal, isBetter } from "../flow/goal.ts";
import { type Settled, settle } from "../flow/settled.ts";
import { connected } from "../flow/support.ts";
import type { Session } from "../session/session.ts";
import { linkUp } from "./link-up.ts";
import { prune } from "./prune.ts";
import { withoutCycles } from "./repair.ts";
import type { Proven } from "./search.ts";
import { thinOut } from "./thin-out.ts";

/**
 * How closely the kinks of pools are followed in each round, as parts of the charge, and how far prices may move, in the
 * logarithm. After the first one tokens join, in the last one touches are tied to each other.
 */
const ROUNDS = [
  { width: 0.5, reach: 1 },
  { width: 0.3, reach: 0.5 },
  { width: 0.1, reach: 0.5 },
];
/** Part of the charge below which nobody looks at what a pool earns: what ties take off a charge ends there. */
const NOTICED = 0.005;
/** The most that a parcel is worth that tokens around are priced with, likewise. */
const SMALL = 0.1;
/** Tokens whose prices are minimised over together. */
const MOST_NODES = 600;

/**
 * An amount to sell over more pools than a route may touch: besides its gas each touch is charged what the last one of them
 * is worth, a multiplier of the limit. The dual with that charge is minimised from the prices of the trade without limits,
 * over prices and charge at once; the pools that it takes are solved together and thinned out, those with ties and those
 * without.
 */
export function crowdedFlow(
  session: Session,
  goal: Goal,
  { relaxed, proof }: Proven,
  first: Settled,
): Proven & { readonly flow: Settled | undefined } {
  const { source, graph } = session;
  const { maxFills, costPerGas } = goal;
  const { sellAmount } = first;
  const none = { relaxed, proof, flow: undefined };
  let { logPrices } = relaxed;
  const profits = relaxed.measured.earners.map(({ slot, profit }) => profit - (graph.gas[slot] as number) * costPerGas);
  let charge = profits.sort((a, b) => b - a)[Math.min(maxFills, profits.length) - 1] ?? 0;
  if (!(charge > 0)) return none;
  /** What pools earn at the prices so far, those that earn less than so much uncounted. */
  const look = (quiet: number): { readonly prices: Prices; readonly measured: Measured } => {
    const worth = sellAmount * Math.exp(logPrices.get(source) as number);
    const prices = spreadPrices(session, logPrices, Math.min(PARCEL * worth, SMALL * charge), quiet);
    return { prices, measured: measure(session, prices, costPerGas, sellAmount, UNLIMITED, [], quiet) };
  };
  const near: number[] = [];
  let known = 0;
  let before: ChargedFlow | undefined;
  let charged: ChargedFlow | undefined;
  for (const [i, round] of ROUNDS.entries()) {
    if (session.over()) break;
    before = charged;
    const ties = before !== undefined && i === ROUNDS.length - 1 ? brokenTies(session, before) : [];
    const trade: ChargedTrade = {
      ...round,
      amount: sellAmount,
      mostTouches: maxFills,
      costPerGas,
      logPrices,
      charge,
      ties,
    };
    near.push(...slotsNear(session, trade, [...logPrices.keys()].slice(known)));
    known = logPrices.size;
    charged = chargedFlow(session, trade, Int32Array.from(near));
    ({ logPrices, charge } = charged);
    if (i > 0) continue;
    const { measured, prices } = look(charge);
    logPrices = withEarning(session, measured, prices, logPrices, charge);
  }
  if (charged === undefined) return none;
  const { measured } = look(NOTICED * charge);
  const proofs = [proof, measured.proof, tiedProof(session, measured, charge, charged.ties)];
  const least = proofs.reduce((a, b) => (sumOf(b, sellAmount) < sumOf(a, sellAmount) ? b : a));
  // The prices of the trade without gas stay what they are where gas counts: what a route can hold is worked out from them.
  const isNew = least !== proof && costPerGas === 0;
  const proven: Proven = { relaxed: isNew ? { ...relaxed, measured, logPrices } : relaxed, proof: least };
  let flow: Settled | undefined;
  for (const one of before === undefined ? [charged] : [charged, before]) {
    const route = routeOver(session, goal, one, first);
    if (route !== undefined && isBetter(session, goal, route, flow ?? first)) flow = route;
  }
  return { ...proven, flow };
}

/** The flow over the pools of one with a charge, linked up and thinned out; those of another one are there as well. */
function routeOver(session: Session, goal: Goal, charged: ChargedFlow, first: Settled): Settled | undefined {
  const { source, sink } = session;
  const { sellAmount } = first;
  const worth = sellAmount * Math.exp(charged.logPrices.get(source) as number);
  const edges = new Set<Edge>([...linkUp(session, charged, worth), ...first.support.edges]);
  const fitting = connected(session, withoutCycles([...edges], source, sink));
  const whole = settle(session, fitting, { kind: "sell", amount: sellAmount }, charged.logPrices);
  return whole && prune(session, goal, thinOut(session, goal, whole));
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
