import { balance } from "./balance.ts";
import { TRUSTED_DEPTHS } from "./depth.ts";
import type { Edge } from "./edges.ts";
import { type Flow, solveFlow } from "./flow.ts";
import { spreadPrices } from "./outer-prices.ts";
import type { Session } from "./session.ts";
import type { Settled } from "./settled.ts";

/** Token prices and what they prove. All numbers are floats in bought units. */
export interface PriceProof {
  /** The price of the sold token. */
  readonly sellPrice: number;
  /** At least what all pools that a route can use earn at these prices, each after the least gas of one touch. */
  readonly earned: number;
  /** At most what the cheapest touches that every route needs cost and do not earn back. */
  readonly unavoidable: number;
  /** Value that went through these sums: what float errors are relative to. */
  readonly volume: number;
}

/** The best proof found, and what it takes to do better. */
export interface Proven {
  readonly proof: PriceProof;
  /** The edges that a trade without limits on shape would use, those with the largest flow first. */
  readonly relaxed: readonly Edge[];
  /** What the proof leaves open above the flow that it began with. */
  readonly open: number;
}

/** An edge that earns more than its gas at some prices. */
interface Earner {
  readonly edge: Edge;
  readonly profit: number;
}

/** Rounds of refinement, and tokens that they take in. */
const MOST_ROUNDS = 3;
const MOST_NODES = 48;
/** Part of the trade's value below which what pools off the flow earn is not worth refining. */
const NEGLIGIBLE = 2e-6;
/** What the proof may leave open when it is good enough, as a part of what the flow achieves. */
const CLOSE_ENOUGH = 2e-5;
/** Part of the largest flow below which an edge carries nothing. */
const TRACE = 1e-6;
/** Sweeps over the tokens off the flow, and what pools may earn at one of them, as a part of the trade's value. */
const MOST_SWEEPS = 6;
const QUIET = 1e-7;
/** Tokens balanced in one sweep. */
const MOST_BALANCED = 128;
/** How far below the ratio of prices a pool's rate may begin, in the logarithm, for the pool to be minimised over. */
const BAND = 0.1;
/** Profit of one pool that is counted without a closer look, as a part of the trade's value. */
const DUST = 1e-10;
/** How far a hyperbola is trusted, as 1 - sqrt(rate / spot). */
const TRUSTED = 1 - 1 / (1 + TRUSTED_DEPTHS);
/** The parcel that tokens off the flow are priced with, as a part of the trade's value. */
const PARCEL = 1e-5;

/**
 * A proof by weak duality, from the prices of a flow: prices of the tokens around it are chosen so that pools earn as
 * little as possible; where pools off the flow still earn, the dual is minimised over them too.
 */
export function provePrices(session: Session, settled: Settled, costPerGas: number): Proven {
  const { source, sink } = session;
  const { sellAmount } = settled;
  let logPrices = settled.logPrices;
  const gas = settled.support.edges.reduce((sum, { curve }) => sum + curve.gas, 0);
  const achieved = settled.buyAmount - gas * costPerGas;
  let relaxed: readonly Edge[] = [];
  let best: PriceProof | undefined;
  for (let round = 0; ; round++) {
    const worth = sellAmount * Math.exp(logPrices.get(source) as number);
    const prices = spreadPrices(session, logPrices, PARCEL * worth);
    let { proof, earners } = measure(session, prices, costPerGas, sellAmount);
    for (let sweep = 0; sweep < MOST_SWEEPS && !session.over(); sweep++) {
      if (sumOffFlow(logPrices, earners) <= NEGLIGIBLE * worth) break;
      const restless = restlessNodes(session, logPrices, earners, QUIET * worth);
      if (restless.length === 0) break;
      for (const node of restless.slice(0, MOST_BALANCED)) {
        if (session.over()) break;
        balance(session, prices, node, costPerGas);
      }
      ({ proof, earners } = measure(session, prices, costPerGas, sellAmount));
    }
    const improved = best === undefined || sumOf(proof, sellAmount) < sumOf(best, sellAmount);
    if (best === undefined || improved) best = proof;
    const open = sumOf(best, sellAmount) - achieved;
    const enough = open <= CLOSE_ENOUGH * Math.abs(achieved);
    if (round >= MOST_ROUNDS || !improved || enough || session.over()) return { proof: best, relaxed, open };
    earners.sort((a, b) => b.profit - a.profit);
    const start = new Map(logPrices);
    for (const { edge } of earners)
      for (const node of [edge.from, edge.to])
        if (start.size < MOST_NODES && !start.has(node)) start.set(node, Math.log(prices.price[node] as number));
    const edges = edgesAmong(session, start);
    const flow = solveFlow({ edges, source, sink, amount: sellAmount }, start);
    session.steps += flow.steps;
    logPrices = flow.logPrices;
    relaxed = largestFirst(edges, flow);
  }
}

/** The edges of a flow that carry more than a trace of the trade, by the value that they carry. */
function largestFirst(edges: readonly Edge[], flow: Flow): Edge[] {
  const value = edges.map(({ to }, i) => (flow.buys[i] as number) * Math.exp(flow.logPrices.get(to) as number));
  const all = value.reduce((most, one) => Math.max(most, one), 0);
  return edges
    .map((edge, i) => ({ edge, value: value[i] as number }))
    .filter((one) => one.value > TRACE * all)
    .sort((a, b) => b.value - a.value)
    .map(({ edge }) => edge);
}

/** What pools earn that lead off the flow. */
function sumOffFlow(flow: ReadonlyMap<number, number>, earners: readonly Earner[]): number {
  let sum = 0;
  for (const { edge, profit } of earners) if (!flow.has(edge.from) || !flow.has(edge.to)) sum += profit;
  return sum;
}

/** The tokens off the flow at which pools earn more than `quiet`, those at which they earn most first. */
function restlessNodes(
  { source, sink }: Session,
  flow: ReadonlyMap<number, number>,
  earners: readonly Earner[],
  quiet: number,
): number[] {
  const sums = new Map<number, number>();
  for (const { edge, profit } of earners)
    for (const node of [edge.from, edge.to])
      if (!flow.has(node) && node !== source && node !== sink) sums.set(node, (sums.get(node) ?? 0) + profit);
  return [...sums]
    .filter(([, sum]) => sum > quiet)
    .sort((a, b) => b[1] - a[1])
    .map(([node]) => node);
}

/** The edges between these nodes that a route could use, but for those far from being worth it. */
function edgesAmong(session: Session, logPrices: ReadonlyMap<number, number>): Edge[] {
  const edges: Edge[] = [];
  for (const [node, logPrice] of logPrices) {
    if (node === session.sink) continue;
    const { edges: all, to, spot } = session.leaving(node);
    for (let i = 0; i < to.length; i++) {
      const other = logPrices.get(to[i] as number);
      if (other === undefined || to[i] === session.source) continue;
      if (Math.log(spot[i] as number) + other - logPrice < -BAND) continue;
      const edge = all[i] as Edge;
      if (session.allows(edge)) edges.push(edge);
    }
  }
  return edges;
}

function sumOf(proof: PriceProof, sellAmount: number): number {
  return proof.sellPrice * sellAmount + proof.earned - proof.unavoidable;
}

function measure(
  session: Session,
  prices: ReturnType<typeof spreadPrices>,
  costPerGas: number,
  sellAmount: number,
): { proof: PriceProof; earners: Earner[] } {
  const { source, sink, maxHops } = session;
  const earners: Earner[] = [];
  const sellPrice = prices.price[source] as number;
  const dust = DUST * sellPrice * sellAmount;
  let earned = 0;
  let volume = sellPrice * sellAmount;
  let first = Number.POSITIVE_INFINITY;
  let last = Number.POSITIVE_INFINITY;
  let only = Number.POSITIVE_INFINITY;
  for (const node of prices.nodes) {
    if (node === sink) continue;
    const price = prices.price[node] as number;
    const hopsLeft = maxHops - 1 - (prices.ring[node] as number);
    const { edges, to, spot, depth } = session.leaving(node);
    session.steps += to.length;
    for (let i = 0; i < to.length; i++) {
      const target = to[i] as number;
      const targetPrice = prices.price[target] as number;
      const paid = (spot[i] as number) * targetPrice;
      const touchesEnd = node === source || target === sink;
      if ((paid <= price && !touchesEnd) || targetPrice === 0 || target === source) continue;
      // A hyperbola's largest profit is spot * D * (1 - sqrt(ratio of prices / spot))^2; most of them are dust.
      const short = 1 - Math.sqrt(price / paid);
      const most = paid * (depth[i] as number) * short * short;
      if (most <= dust && short < TRUSTED && !touchesEnd) {
        earned += most;
        continue;
      }
      const edge = edges[i] as Edge;
      if ((prices.ring[target] as number) > hopsLeft || !session.allows(edge)) continue;
      const gas = edge.curve.gas * costPerGas;
      let profit = 0;
      if (paid > price) {
        const { sellAmount, buyAmount } = mostEarned(edge, price / targetPrice);
        profit = buyAmount * targetPrice - sellAmount * price;
        volume += buyAmount * targetPrice;
      }
      const lost = Math.max(0, gas - profit);
      if (node === source) first = Math.min(first, lost);
      if (target === sink) last = Math.min(last, lost);
      if (node === source && target === sink) only = Math.min(only, lost);
      if (profit <= gas) continue;
      earned += profit - gas;
      earners.push({ edge, profit: profit - gas });
    }
  }
  const unavoidable = Math.min(only, first + last);
  return { proof: { sellPrice, earned, volume, unavoidable: Number.isFinite(unavoidable) ? unavoidable : 0 }, earners };
}

/**
 * What earns most on an edge at this ratio of prices. A curve that is not concave is taken to give all that it has for
 * nothing: true, if loose.
 */
function mostEarned({ curve }: Edge, rate: number): { sellAmount: number; buyAmount: number } {
  if (!curve.concave) return { sellAmount: 0, buyAmount: curve.buyAmountFor(curve.maxSell) };
  const sellAmount = Math.min(curve.sellAmountAtRate(rate), curve.maxSell);
  return { sellAmount, buyAmount: curve.buyAmountFor(sellAmount) };
}
