import type { Edge } from "./edges.ts";
import { slotsAmong } from "./edges-among.ts";
import { type Flow, solveFlow } from "./flow.ts";
import { problemOfSlots } from "./flow-problem.ts";
import { type Measured, measure, sumOf } from "./measure.ts";
import { spreadPrices } from "./outer-prices.ts";
import type { Session } from "./session.ts";

/** The trade as if routes had no limit of shape, and the prices that belong to it. */
export interface Relaxed {
  readonly measured: Measured;
  /** Prices of the tokens that were minimised over, in the logarithm. */
  readonly logPrices: ReadonlyMap<number, number>;
  /** The edges that the trade uses, those that carry most first. */
  readonly edges: readonly Edge[];
}

/** Prices, and the slots of the edges that they were minimised over. */
interface Found extends Omit<Relaxed, "edges"> {
  readonly among: readonly number[];
}

/** Edges that were left out of a flow, and what they earn at its prices. */
interface Overlooked {
  readonly slots: readonly number[];
  readonly earned: number;
}

const NOTHING: Overlooked = { slots: [], earned: 0 };
const MOST_ROUNDS = 10;
/** Tokens whose prices are minimised over together. */
const MOST_NODES = 160;
/** What the proof may still leave open, or gain in a round, as a part of the trade's value. */
const CLOSE_ENOUGH = 2e-6;
/** The same as long as a search has not looked at more than this many pools. */
const CLOSER = 1e-8;
const CHEAP = 5_000;
/** How close the flow between the rounds is solved. */
const ROUGH = 5e-7;
/** The same as a part of what the tokens earn that a round takes in. */
const ROUGHLY = 0.02;
const ROUGHEST = 0.01;
/** Part of the largest flow below which an edge carries nothing. */
const TRACE = 1e-6;
/** Part of what pools earn off the known tokens that makes a token one of them. */
const NOTICED = 1e-2;
/** The same as a part of the trade's value, and how many tokens join at once. */
const NOTICED_OF_TRADE = 1e-2;
const MOST_AT_ONCE = 16;
/** Part of the ratio of prices below which a pool's rate begins too low for the pool to be minimised over. */
const BAND = 0.95;
/** The parcel that tokens off the flow are priced with, as a part of the trade's value. */
const PARCEL = 1e-5;

/**
 * Minimises the dual of the trade over all pools, from the prices of some flow: tokens around it cost what a parcel can
 * buy them for; the tokens at which pools then earn more than their gas join those that are minimised over together,
 * until none does.
 */
export function relax(
  session: Session,
  start: ReadonlyMap<number, number>,
  sellAmount: number,
  costPerGas: number,
): Relaxed {
  const { source } = session;
  let logPrices = start;
  let among: readonly number[] = [];
  let best: Found | undefined;
  let full = false;
  /** How close the last flow is to its minimum. */
  let close = 0;
  for (let round = 0; ; round++) {
    const worth = sellAmount * Math.exp(logPrices.get(source) as number);
    const prices = spreadPrices(session, logPrices, PARCEL * worth);
    const measured = measure(session, prices, costPerGas, sellAmount);
    const reached = sumOf(measured.proof, sellAmount);
    const gain: number = best === undefined ? worth : sumOf(best.measured.proof, sellAmount) - reached;
    if (best === undefined || gain > 0 || best.among.length === 0) best = { measured, logPrices, among };
    const enough = (session.steps < CHEAP ? CLOSER : CLOSE_ENOUGH) * worth;
    const fresh = newcomers(session, measured, logPrices, worth, enough);
    const lacking = among.length === 0 ? NOTHING : overlooked(session, measured, logPrices, among);
    const nothingNew = fresh.nodes.length === 0 && lacking.earned <= enough;
    const finest = Math.min(ROUGH, enough / worth);
    const done = close <= finest && (nothingNew || full || (gain >= 0 && gain < enough));
    if (round >= MOST_ROUNDS || session.over() || (round > 0 && done))
      return { measured: best.measured, logPrices: best.logPrices, edges: flowAt(session, best, sellAmount) };
    // A round that made it worse knew too few pools: the better prices go on, with the tokens that it lacked.
    const nodes = gain < 0 ? new Map([...logPrices, ...best.logPrices]) : new Map(logPrices);
    for (const node of fresh.nodes) {
      if (nodes.size >= MOST_NODES) break;
      nodes.set(node, Math.log(((prices.lift[node] as number) || prices.level) * (session.graph.rest[node] as number)));
    }
    full = nodes.size === logPrices.size && lacking.slots.length === 0;
    const added = [...nodes.keys()].filter((node) => among.length === 0 || !logPrices.has(node));
    among = [...among, ...slotsAmong(session, nodes, added, BAND), ...lacking.slots];
    close = nothingNew || full ? finest : Math.max(finest, Math.min(ROUGHEST, (ROUGHLY * fresh.earned) / worth));
    const flow = solveFlow(session, problemOfSlots(session.graph, among), sellAmount, nodes, close);
    logPrices = flow.logPrices;
  }
}

/** The trade at the best prices, solved until what each token gets is what it gives. */
function flowAt(session: Session, { among, logPrices }: Found, amount: number): Edge[] {
  if (among.length === 0) return [];
  const { graph } = session;
  const flow = solveFlow(session, problemOfSlots(graph, among), amount, logPrices);
  return largestFirst(
    among.map((slot) => graph.edges[slot] as Edge),
    flow,
  );
}

/** The edges of a flow that carry more than a trace of the trade, by the value that they carry. */
function largestFirst(edges: readonly Edge[], flow: Flow): Edge[] {
  const prices = new Map([...flow.logPrices].map(([node, logPrice]) => [node, Math.exp(logPrice)]));
  const value = edges.map(({ to }, i) => (flow.buys[i] as number) * (prices.get(to) as number));
  const all = value.reduce((most, one) => Math.max(most, one), 0);
  return edges
    .map((edge, i) => ({ edge, value: value[i] as number }))
    .filter((one) => one.value > TRACE * all)
    .sort((a, b) => b.value - a.value)
    .map(({ edge }) => edge);
}

/** The tokens not yet minimised over at which pools earn more than `enough` together, those at which they earn most first. */
function newcomers(
  { source, sink }: Session,
  { earners }: Measured,
  known: ReadonlyMap<number, number>,
  worth: number,
  enough: number,
): { readonly nodes: readonly number[]; readonly earned: number } {
  const sums = new Map<number, number>();
  let all = 0;
  for (const { edge, profit } of earners) {
    let counted = false;
    for (const node of [edge.from, edge.to]) {
      if (known.has(node) || node === source || node === sink) continue;
      sums.set(node, (sums.get(node) ?? 0) + profit);
      counted = true;
    }
    if (counted) all += profit;
  }
  if (all <= enough) return { nodes: [], earned: all };
  const nodes = [...sums]
    .filter(([, sum]) => sum > Math.min(NOTICED * all, NOTICED_OF_TRADE * worth))
    .sort((a, b) => b[1] - a[1])
    .slice(0, Math.max(MOST_AT_ONCE, known.size))
    .map(([node]) => node);
  return { nodes, earned: all };
}

/** The slots that earn between tokens whose prices were minimised over without them, and what they earn. */
function overlooked(
  { workspace, graph }: Session,
  { earners }: Measured,
  known: ReadonlyMap<number, number>,
  among: readonly number[],
): Overlooked {
  const { marks, stamp } = workspace.marked(graph.edges.length);
  for (const slot of among) marks[slot] = stamp;
  const slots: number[] = [];
  let earned = 0;
  for (const { edge, slot, profit } of earners) {
    if (marks[slot] === stamp || !known.has(edge.from) || !known.has(edge.to)) continue;
    slots.push(slot);
    earned += profit;
  }
  return { slots, earned };
}
