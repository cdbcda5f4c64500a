import { mostProven, noMoreThan } from "../bound/certificate.ts";
import { profitsOf } from "../bound/earner.ts";
import { leastOfLargest } from "../bound/largest.ts";
import { type Measured, measure, type PriceProof } from "../bound/measure.ts";
import { UNLIMITED } from "../bound/most-earned.ts";
import { openAbove } from "../bound/open-above.ts";
import { outerPrice, PARCEL, type Prices, spreadPrices } from "../bound/outer-prices.ts";
import { brokenTies, withBroken } from "../charge/broken-ties.ts";
import type { ChargedTrade } from "../charge/charged-dual.ts";
import { type ChargedFlow, chargedFlow, slotsEarning, slotsNear } from "../charge/charged-flow.ts";
import { narrowedTies } from "../charge/narrowed-ties.ts";
import { NO_SLOTS, withSlots } from "../charge/near-slots.ts";
import { tiedProof } from "../charge/tied-proof.ts";
import type { Tie } from "../charge/ties.ts";
import type { Edge } from "../edges/edges.ts";
import { type Goal, gasAtPrice, isBetter, mostSoldFor, settleGoal } from "../flow/goal.ts";
import type { Settled } from "../flow/settled.ts";
import { connected } from "../flow/support.ts";
import type { Session } from "../session/session.ts";
import { flowToTicks, type PaidParts } from "./end-at-ticks.ts";
import { linkUp } from "./link-up.ts";
import { prune } from "./prune.ts";
import type { Proven } from "./search-outcome.ts";
import { thinOut } from "./thin-out.ts";
import { withoutCycles } from "./without-cycles.ts";

type Round = Pick<ChargedTrade, "width" | "reach">;

/** Prices, and what pools earn at them. */
interface Look {
  readonly prices: Prices;
  readonly measured: Measured;
}

/** Prices that prove most so far, and what they prove. */
interface Best {
  readonly measured: Measured;
  readonly logPrices: ReadonlyMap<number, number>;
  readonly proof: PriceProof;
}

/**
 * How closely the kinks of pools are followed in each round, as parts of the charge, and how far prices may move, in the
 * logarithm. After the first one tokens join, in the last one touches are tied to each other.
 */
const ROUNDS: readonly Round[] = [
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

/** The same of the rounds that follow where much is open, how many there may be, and what each has to close of it. */
const MORE = { width: 0.1, reach: 0.5 };
const MOST_MORE = 4;
const LEAST_CLOSED = 0.1;
/** How many times what a search has cost before it may cost with these. */
const AS_MUCH_AGAIN = 2;
/**
 * The same once no more is to join: prices that are best for rounded kinks leave up to half a charge open that others do not.
 * Nothing is chosen from what it takes, which is less in parts: that leaves fewer pools to choose from.
 */
const LAST: Round = { width: 0.03, reach: 0.5 };

/**
 * A trade over more pools than a route may touch: besides its gas each touch is charged what the last one of them
 * is worth, a multiplier of the limit. The dual with that charge is minimised from the prices of the trade without limits,
 * over prices and charge at once; the pools that it takes are solved together and thinned out, those with ties and those
 * without. Where more than `enough` is open then, as a part of the trade's value, pools and tokens join that were not
 * minimised over and earn all the same, and ties that are broken, and the dual is minimised again, as long as that closes
 * much of it; the pools that this takes are tried with those of the best flow so far as well, and at last kinks are rounded
 * less.
 */
export function crowdedFlow(
  session: Session,
  goal: Goal,
  { relaxed, proof }: Pick<Proven, "relaxed" | "proof">,
  first: Settled,
  enough: number,
): Proven & { readonly flow: Settled | undefined } {
  const { source, graph } = session;
  const { maxFills } = goal;
  const { sellAmount } = first;
  // No route that is better sells more.
  const mostSold = mostSoldFor(session, goal, first);
  const none = { relaxed, proof, flow: undefined, charged: undefined };
  let { logPrices } = relaxed;
  const costPerGas = () => gasAtPrice(goal, Math.exp(logPrices.get(source) as number));
  const { earners } = relaxed.measured;
  const profits = profitsOf(earners);
  earners.forEach(({ slot }, i) => {
    profits[i]! -= (graph.gas[slot] as number) * costPerGas();
  });
  const last = earners.length > 0 ? leastOfLargest(profits, Math.min(maxFills, earners.length)) : 0;
  // Where gas leaves fewer pools than a route may touch, the charge comes to next to nothing from there.
  let charge = Math.max(last, session.leastGas * costPerGas());
  if (!(charge > 0)) return none;
  /** What pools earn at the prices so far, those that earn less than so much uncounted. */
  const spread = (quiet: number): Prices => {
    const worth = sellAmount * Math.exp(logPrices.get(source) as number);
    return spreadPrices(session, logPrices, { parcel: Math.min(PARCEL * worth, SMALL * charge), quiet });
  };
  const look = (quiet: number): Look => {
    const prices = spread(quiet);
    return { prices, measured: measure(session, prices, costPerGas(), mostSold, UNLIMITED, [], quiet) };
  };
  let near = NO_SLOTS;
  const isNear = new Set<number>();
  const addNear = (slots: readonly number[]): void => {
    const added = slots.filter((slot) => !isNear.has(slot) && isNear.add(slot));
    near = withSlots(graph, near, added);
  };
  let known = 0;
  /** Minimises over the prices of all tokens that have one, and the charge. */
  const minimise = (round: Round, ties: readonly Tie[]): ChargedFlow => {
    const trade = {
      ...round,
      amount: sellAmount,
      mostTouches: maxFills,
      costPerGas: costPerGas(),
      logPrices,
      charge,
      ties,
    };
    addNear(slotsNear(session, trade, [...logPrices.keys()].slice(known)));
    known = logPrices.size;
    const found = chargedFlow(session, trade, near);
    ({ logPrices, charge } = found);
    return found;
  };
  const narrowed = (ties: readonly Tie[], prices: Prices): Tie[] =>
    narrowedTies(session, { prices, charge, costPerGas: costPerGas(), unnamed: NOTICED * charge }, ties);
  let before: ChargedFlow | undefined;
  let charged: ChargedFlow | undefined;
  for (const [i, round] of ROUNDS.entries()) {
    if (session.over()) break;
    before = charged;
    charged = minimise(
      round,
      before !== undefined && i === ROUNDS.length - 1
        ? narrowed(brokenTies(session, before), spread(NOTICED * charge))
        : [],
    );
    if (i === 0) logPrices = withEarning(session, look(charge), logPrices, charge);
  }
  if (charged === undefined) return none;
  let seen = look(NOTICED * charge);
  let best: Best = { measured: relaxed.measured, logPrices: relaxed.logPrices, proof };
  const prove = ({ ties }: ChargedFlow): void => {
    const { prices, measured } = seen;
    const own = narrowedTies(session, { prices, charge, costPerGas: costPerGas(), unnamed: measured.unnamed }, ties);
    const tied = tiedProof(session, measured, charge, own);
    for (const one of [measured.proof, tied].map((own) => noMoreThan(own, goal, mostSold)))
      if (mostProven(one, goal) < mostProven(best.proof, goal)) best = { measured, logPrices, proof: one };
  };
  prove(charged);
  let flow: Settled | undefined;
  const tryOver = (one: ChargedFlow, other = first): void => {
    const route = routeOver(session, goal, one, other);
    if (route !== undefined && isBetter(session, goal, route, flow ?? first)) flow = route;
  };
  tryOver(charged);
  if (before !== undefined) tryOver(before);
  const most = AS_MUCH_AGAIN * session.steps;
  const open = () => openAbove(session, goal, best.proof, flow ?? first);
  let more = 0;
  for (let left = open(); left > enough && more < MOST_MORE && session.steps < most && !session.over(); more++) {
    logPrices = withEarning(session, seen, logPrices, charge);
    addNear(slotsEarning(session, seen.measured, logPrices, charge));
    charged = minimise(MORE, narrowed(withBroken(session, charged), seen.prices));
    seen = look(NOTICED * charge);
    prove(charged);
    const now = open();
    if (now > (1 - LEAST_CLOSED) * left) left = 0;
    else left = now;
  }
  if (more > 0) {
    tryOver(charged);
    if (flow !== undefined) tryOver(charged, flow);
    if (open() > enough && session.steps < most && !session.over()) {
      const closest = minimise(LAST, narrowed(charged.ties, seen.prices));
      seen = look(NOTICED * charge);
      prove(closest);
    }
  }
  // The prices of the trade without gas stay what they are where gas counts: what a route can hold is worked out from them.
  const isNew = best.proof !== proof && goal.costPerGas === 0;
  const { measured, logPrices: proving } = best;
  return {
    relaxed: isNew ? { ...relaxed, measured, logPrices: proving } : relaxed,
    proof: best.proof,
    flow,
    charged: partsOf(charged),
  };
}

/** What a flow touches in parts: where pools whose gas grows end. */
function partsOf({ touched, logPrices }: ChargedFlow): PaidParts {
  return {
    edges: touched.map(({ edge }) => edge),
    parts: Float64Array.from(touched, ({ part }) => part),
    sells: Float64Array.from(touched, ({ sells }) => sells),
    logPrices,
  };
}

/**
 * The flow over the pools of one with a charge, linked up and thinned out; those of another one are there as well. Where gas
 * counts pools end between the ticks that they are charged for.
 */
function routeOver(session: Session, goal: Goal, charged: ChargedFlow, first: Settled): Settled | undefined {
  const { source, sink } = session;
  const { sellAmount } = first;
  const worth = sellAmount * Math.exp(charged.logPrices.get(source) as number);
  const edges = new Set<Edge>([...linkUp(session, charged, worth), ...first.support.edges]);
  const all = [...edges];
  const thinned = (flow: Settled) => prune(session, goal, thinOut(session, goal, flow));
  const anything = all.map(() => Number.POSITIVE_INFINITY);
  const ended =
    goal.costPerGas > 0 ? flowToTicks(session, goal, all, anything, sellAmount, partsOf(charged), thinned) : undefined;
  if (ended !== undefined) return ended;
  const fitting = connected(session, withoutCycles(all, source, sink));
  const whole = settleGoal(session, goal, fitting, sellAmount, charged.logPrices);
  return whole && thinned(whole);
}

/** These prices and those of the tokens at which a pool earns more than the charge. */
function withEarning(
  session: Session,
  { prices, measured: { earners } }: Look,
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
