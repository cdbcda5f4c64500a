import type { Search } from "../session/search.ts";
import { FlowDual, type FlowProblem, type Trade } from "./flow-dual.ts";
import { FlowStep } from "./flow-step.ts";

/** The best split of a trade over given edges, to floating point accuracy. Its arrays last until the next one is solved. */
export interface Flow {
  /** Logarithm of each token's price in bought units, by node; the sink's is 0. */
  readonly logPrices: ReadonlyMap<number, number>;
  /** Amount sold: the given one, or what the one to buy takes; if edges do not pay that, what they take at these prices. */
  readonly sellAmount: number;
  /** Bound that these prices prove over these edges: most paid, in bought units; exact-out: least taken, negative. */
  readonly value: number;
  /** Whether these edges pay an amount to buy; one to sell they always take. */
  readonly pays: boolean;
  /** Amount that each edge or bundle sells, by position in the problem. */
  readonly sells: Float64Array;
  /** Earnings of each at these prices, in bought units: a lower bound of the loss without it. */
  readonly profits: Float64Array;
}

const MAX_ROUNDS = 40;
/** Rounds that are taken even out of budget: less is no flow to answer with. */
const MIN_ROUNDS = 6;
/** Lengths of a step that are tried, each a fourth of the one before: a deep pool next to a small one turns within 10^-8. */
const MAX_ATTEMPTS = 20;
/** Limit on separate steps with slopes as steep as the previous step has shown. */
const MAX_STEEPER = 4;
/** Promise of a further step at which the solution is close enough, as a part of the trade's value. */
const CLOSE = 1e-11;
/** Float resolution as a part of the dual's value: with arbitrage between pools that may far exceed the trade's. */
const TRACE = 1e-14;
/**
 * Imbalance of a token that is then acceptable, as a part of the trade: a pool that sells much at nearly one rate
 * makes a step promise little.
 */
const BALANCED = 1e-4;
/** Most that a logarithm of a price may move in one step, and how far it is trusted to at first. */
const LONGEST_STEP = 3;
/** Trust in the first step where gas makes kinks. */
const FIRST_TRUST = 0.1;
/** The most that the assumed reach of a step may shrink in one: the descent could jump back otherwise. */
const SLOWEST = 3;
/** Most that the bought token's log price may rise before an amount to buy counts as more than the edges pay. */
const HIGHEST_RISE = 10;
/** A slope that every price has at least, as a part of the trade's value: one on which nothing hangs stays. */
const MIN_SLOPE = 1e-13;

/**
 * A trade over these edges, which form no cycle. Minimises its dual over the logarithms of the token prices: one closed
 * problem per edge or bundle (sell until the marginal rate equals the ratio of prices), Newton steps with the Laplacian of
 * the edges' slopes (Diamandis et al., arXiv 2302.04938, there with L-BFGS). `close`: what a further step may still promise
 * at the end, as a part of the trade's value. It ends as soon as prices prove less than the trade has to be worth, out of
 * budget after a few rounds, and for an amount to buy where its price has risen far, since the edges do not pay it, or less
 * than a base unit buys it: prices that prove less, a flow that need not balance.
 */
export function solveFlow(
  search: Search,
  problem: FlowProblem,
  trade: Trade,
  start: ReadonlyMap<number, number>,
  close = CLOSE,
): Flow {
  const { scratch } = search.workspace;
  scratch.begin();
  const dual = new FlowDual(search, problem, trade, scratch);
  const { nodes, givenAt } = dual;
  const size = nodes.length - 1;
  const down = new FlowStep(dual, scratch);
  const { step } = down;
  let [at, next] = [scratch.floats(size + 1), scratch.floats(size + 1)];
  const level = start.get(nodes[size] as number) ?? 0;
  for (let slot = 0; slot < size; slot++) at[slot] = (start.get(nodes[slot] as number) ?? 0) - level;
  at[size] = 0;
  next[size] = 0;
  let [here, there] = [dual.point(), dual.point()];
  dual.measure(at, here);
  let trust = trade.gas === undefined ? LONGEST_STEP : FIRST_TRUST;
  const isExactOut = trade.side === "exactOut";
  const balanced = BALANCED * Math.sqrt(close / CLOSE);
  const { least = Number.NEGATIVE_INFINITY } = trade;
  const highest = (at[givenAt] as number) + HIGHEST_RISE;
  for (let round = 0; round < MAX_ROUNDS && (round < MIN_ROUNDS || !search.over()); round++) {
    if (here.value < least) break;
    const scale = Math.exp(at[givenAt] as number) * trade.amount;
    if (isExactOut && (scale < 1 || (at[givenAt] as number) > highest)) break;
    const enough = Math.max(close * scale, TRACE * Math.abs(here.value));
    down.solve(here, trust, MIN_SLOPE * scale, enough);
    const norm = largest(here.gradient, size);
    if (down.promise <= enough && norm <= balanced * scale) break;
    dual.reach = Math.max(dual.reach / SLOWEST, Math.min(dual.reach, largest(step, size)));
    let moved = false;
    let far = 1;
    for (let attempt = 0; attempt < MAX_ATTEMPTS && !moved; attempt++) {
      if (attempt > MAX_STEEPER) far /= 4;
      else {
        if (attempt > 0) {
          down.steepen(dual, here, there, far, true);
          down.solve(here, trust, MIN_SLOPE * scale, enough);
        }
        far = Math.min(1, LONGEST_STEP / largest(step, size));
      }
      for (let slot = 0; slot < size; slot++) next[slot] = (at[slot] as number) - far * (step[slot] as number);
      dual.measure(next, there);
      moved =
        there.value < here.value ||
        (there.value <= here.value + 1e-15 * Math.abs(here.value) && largest(there.gradient, size) < norm);
    }
    if (!moved) break;
    // Steps that meet kinks of gas win next to nothing, round after round.
    const isSlow = trade.gas !== undefined && here.value - there.value <= enough;
    trust = far === 1 ? Math.min(LONGEST_STEP, 2 * trust) : trust / 2;
    [here, there] = [there, here];
    [at, next] = [next, at];
    down.steepen(dual, here, there, -far, false);
    if (isSlow) break;
  }
  const { value, sells, profits } = here;
  // Prices are told in units of the sink's; that of an amount to buy is a variable.
  const lift = isExactOut ? (at[givenAt] as number) : 0;
  const logPrices = new Map<number, number>();
  nodes.forEach((node, slot) => {
    logPrices.set(node, (at[slot] as number) - lift);
  });
  // Prices at which the search has given up may prove less than nothing.
  const pays = !isExactOut || (lift <= highest && value < 0);
  let sold = 0;
  for (let i = 0; i < profits.length; i++) {
    profits[i]! /= Math.exp(lift);
    if (isExactOut && dual.from[i] === size) sold += sells[i] as number;
  }
  const sellAmount = isExactOut ? (pays ? -value : sold) : trade.amount;
  return { logPrices, sellAmount, value, pays, sells, profits };
}

function largest(vector: Float64Array, size: number): number {
  let most = 0;
  for (let i = 0; i < size; i++) most = Math.max(most, Math.abs(vector[i] as number));
  return most;
}
