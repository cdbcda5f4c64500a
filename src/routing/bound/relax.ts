import { DEPTH_OF_WIDTH } from "../edges/depth.ts";
import type { Edge } from "../edges/edges.ts";
import { UNLIMITED } from "../edges/trade-at.ts";
import { type Flow, solveFlow } from "../flow/flow.ts";
import type { Trade } from "../flow/flow-dual.ts";
import type { HubBundles } from "../session/hub-bundles.ts";
import { closeEnough, gasAtPrice, type Search } from "../session/search.ts";
import { type Measured, measure, measureSpot, nodesThatEarn, type PriceProof, roomOf } from "./measure.ts";
import { levelOf, outerPrice } from "./outer-prices.ts";
import { carryingAt, emptyModel, extend, type Model } from "./price-model.ts";

/** The trade as if routes had no limit of shape, and the prices that belong to it. */
export interface Relaxed {
  readonly measured: Measured;
  /** Prices of the tokens that were minimised over, in the logarithm. */
  readonly logPrices: ReadonlyMap<number, number>;
  /** The edges that the trade uses, those that carry most first: worked out when they are asked for. */
  readonly edges: () => readonly Edge[];
  /** Whether there is so much arbitrage that no prices prove anything useful: these are the spot prices. */
  readonly hopeless: boolean;
  /** Most that an exact-out trade may sell for these prices to be optimal and to prove their bound; 0 for exact-in trades. */
  readonly mostSold: number;
}

/** When prices need not be minimised to the end. */
interface Ends {
  /**
   * The most that an exact-out trade sells for prices to prove anything of it: they are minimised for it then, unless there is much
   * arbitrage between pools.
   */
  readonly mostSold?: number | undefined;
  /** Stops after few rounds, to find which pools a trade takes rather than to prove a bound. */
  readonly isRough?: boolean;
}

/** Prices and what they prove. */
interface Found {
  readonly measured: Measured;
  readonly logPrices: ReadonlyMap<number, number>;
  /** Bound that these prices would prove without a limit on the number of pools, in the form of `Flow`. */
  readonly reached: number;
}

const MAX_ROUNDS = 10;
/** Most rounds if arbitrage between pools earns more than the part `LOOSE` of the trade's value without any trade. */
const FEW_ROUNDS = 2;
const LOOSE = 0.01;
/** Gap beyond which minimising prices is hopeless, as a multiple of the best path's proceeds. */
const HOPELESS = 1;
/** Tolerance of the flow between rounds. */
const ROUGH = 5e-7;
/** Tolerance of the flow between rounds, as a part of the earnings of the tokens that a round adds. */
const ROUGHLY = 0.02;
/** Roughest tolerance of the flow between rounds, as a part of the trade's value. */
const ROUGHEST = 1e-3;
/** Part of all earnings that pools have to earn at a token for it to join, and limit on those that join at once. */
const NOTICED = 1e-3;
const AT_ONCE = 64;

const NO_EDGES = (): readonly Edge[] => [];

/**
 * Minimises the dual of the trade over all pools, from the prices of some flow: tokens around it cost what a parcel can
 * buy them for; the tokens at which pools then earn more than their gas join those that are minimised over together,
 * until none does. The dual of an amount to buy is (what all pools earn - bought) / price of the sold token: no route takes
 * less than that, negative.
 */
export function relax(
  search: Search,
  start: ReadonlyMap<number, number>,
  sellAmount: number,
  { mostSold: ownMost, isRough = false }: Ends = {},
): Relaxed {
  const { source, graph } = search;
  const hubs = search.bundles;
  const model: Model = emptyModel();
  let logPrices = start;
  let best: Found | undefined;
  /** The least that all pools together can leave, by what the model says. */
  let least = Number.NEGATIVE_INFINITY;
  /** Whether the model was solved as closely as it is worth. */
  let close = false;
  let full = false;
  const level = levelOf(search, start);
  const loose = earnsAtSpot(search, level, LOOSE * sellAmount * Math.exp(start.get(source) as number));
  const rounds = loose || isRough ? FEW_ROUNDS : MAX_ROUNDS;
  const exactInTrade: Trade = { side: "exactIn", amount: sellAmount };
  const isExactOut = !loose && ownMost !== undefined;
  const trade: Trade = isExactOut ? { side: "exactOut", amount: search.amount } : exactInTrade;
  const mostSold = isExactOut ? ownMost : sellAmount;
  /** Value of the trade in bought units, and of one bought unit in the units of the dual. */
  const scaleAt = (logPrices: ReadonlyMap<number, number>) => {
    const sellPrice = Math.exp(logPrices.get(source) as number);
    return isExactOut ? { worth: search.amount, unit: 1 / sellPrice } : { worth: sellAmount * sellPrice, unit: 1 };
  };
  const logSpotPrice = (node: number) => Math.log(level * (graph.rest[node] as number));
  extend(search, hubs, model, [...start.keys(), ...hubs.hubs], (node) => start.get(node) ?? logSpotPrice(node));
  const flow = solve(ROUGH);
  logPrices = flow.logPrices;
  const { worth, unit } = scaleAt(logPrices);
  least = leastOf(flow, ROUGH * worth * unit);
  for (let round = 0; ; round++) {
    const { worth, unit } = scaleAt(logPrices);
    const measured = measure(search, logPrices, mostSold, { worth });
    const reached = isExactOut ? (measured.unlimited - search.amount) * unit - mostSold : measured.unlimited;
    const better = best === undefined || reached < best.reached;
    if (better) best = { measured, logPrices, reached };
    const enough = closeEnough(search) * worth;
    const missing = missingOf(search, model, measured, hubs);
    const nothingNew = missing.earned <= enough;
    const isDone = (best as Found).reached - least <= enough * unit || ((nothingNew || full) && close);
    if (isDone || round >= rounds || search.over()) break;
    const priceOf = (node: number) => Math.log(outerPrice(search, measured.prices, node));
    if (!better) for (const [node, logPrice] of (best as Found).logPrices) model.nodes.set(node, logPrice);
    else model.nodes = new Map(logPrices);
    const before = model.slots.size;
    const isNew = (node: number) => !model.nodes.has(node);
    const fresh = nodesThatEarn(search, measured.earners, isNew, NOTICED * missing.earned);
    const others = nothingNew ? [] : [...fresh.slice(0, AT_ONCE), ...hubs.hubs];
    extend(search, hubs, model, [...start.keys(), ...others], priceOf);
    for (const slot of missing.slots) {
      const [a, b] = [graph.from[slot] as number, graph.to[slot] as number];
      if (model.nodes.has(a) && model.nodes.has(b) && !hubs.joins(a, b)) model.slots.add(slot);
    }
    const closest = Math.min(ROUGH, enough / worth);
    const wanted =
      nothingNew || model.slots.size === before
        ? closest
        : Math.max(closest, Math.min(ROUGHEST, (ROUGHLY * missing.earned) / worth));
    const flow = solve(wanted);
    close = wanted <= closest;
    full = model.slots.size === before;
    least = leastOf(flow, wanted * worth * unit);
    logPrices = flow.logPrices;
  }
  const { measured, logPrices: last } = best as Found;
  let carrying: readonly Edge[] | undefined;
  const edges = () => {
    carrying ??= carryingAt(search, model, last, trade);
    return carrying;
  };
  return {
    measured,
    logPrices: last,
    edges,
    hopeless: false,
    mostSold: isExactOut ? ownMost : 0,
  };

  /** The flow over the model; that of the exact-in trade as long as an amount to buy is more than this pays. */
  function solve(closeness: number): Flow {
    const problem = { edges: Array.from(model.slots, graph.edgeAt), bundles: model.bundles };
    const flow = solveFlow(search, problem, trade, model.nodes, closeness);
    return flow.pays ? flow : { ...solveFlow(search, problem, exactInTrade, model.nodes, closeness), pays: false };
  }
}

/** Lower bound that a flow proves, less its open gap; undefined if the flow is not the trade's. */
function leastOf({ value, pays }: Flow, open: number): number {
  return pays ? value - open : Number.NEGATIVE_INFINITY;
}

/** Whether pools earn more without any trade than this brings: then arbitrage is all that prices see. */
export function isHopeless(search: Search, buyAmount: number): boolean {
  return earnsAtSpot(search, 1, HOPELESS * buyAmount * (search.graph.rest[search.sink] as number));
}

/** Bound that spot prices prove. */
export function spotBound(search: Search, sellAmount: number): Relaxed {
  const { source, sink, graph } = search;
  const logPrices = new Map([
    [source, Math.log((graph.rest[source] as number) / (graph.rest[sink] as number))],
    [sink, 0],
  ]);
  const measured = measureSpot(search, logPrices, sellAmount);
  return { measured, logPrices, edges: NO_EDGES, hopeless: true, mostSold: 0 };
}

/** Whether pools off the spot prices earn more than a value at these, lifted to a level: about, as hyperbolas. */
function earnsAtSpot({ graph, restless }: Search, level: number, value: number): boolean {
  const { gain, width, rest, from } = graph;
  const earned = (slot: number): number => {
    const far = Math.sqrt(gain[slot] as number) - 1;
    return DEPTH_OF_WIDTH * (width[slot] as number) * (rest[from[slot] as number] as number) * far * far;
  };
  return level * restless.reduce((sum, slot) => sum + earned(slot), 0) > value;
}

/** Slots that earn and that the model does not have, and what they earn. */
function missingOf({ graph: { from, to } }: Search, model: Model, { earners }: Measured, hubs: HubBundles) {
  const slots: number[] = [];
  let earned = 0;
  const bundled = model.bundles.length > 0;
  for (const { slot, profit } of earners) {
    if (model.slots.has(slot) || (bundled && hubs.joins(from[slot] as number, to[slot] as number))) continue;
    slots.push(slot);
    earned += profit;
  }
  return { slots, earned };
}

/**
 * Proves a first bound, with gas, from the prices of the trade without gas (weak duality). Gas that is paid in the sold token is
 * worth what these prices say of it.
 */
export function proveAtFirst(search: Search, sellAmount: number, relaxed: Relaxed): PriceProof {
  const { measured, logPrices, hopeless } = relaxed;
  if (search.costPerGas === 0 || hopeless) return measured.proof;
  const sellPrice = Math.exp(logPrices.get(search.source) as number);
  const costPerGas = gasAtPrice(search, sellPrice);
  // The most that an exact-out trade takes is not known yet.
  const room = search.side === "exactIn" ? roomOf(search, sellAmount, relaxed) : UNLIMITED;
  // Prices spread without that limit prove a little more.
  return measure(search, logPrices, sellAmount, { worth: sellPrice * sellAmount, costPerGas }, room).proof;
}
