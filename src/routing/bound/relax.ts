import { DEPTH_OF_WIDTH } from "../edges/depth.ts";
import type { Edge } from "../edges/edges.ts";
import { UNLIMITED } from "../edges/trade-at.ts";
import { solveFlow } from "../flow/flow.ts";
import type { Trade } from "../flow/flow-dual.ts";
import { closeEnough, gasAtPrice, type Search } from "../session/search.ts";
import { type Measured, measure, measureSpot, nodesThatEarn, type PriceProof, roomOf } from "./measure.ts";
import { levelOf, outerPrice } from "./outer-prices.ts";
import { carryingAt, emptyModel, extend, join, type Model } from "./price-model.ts";

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

const MAX_ROUNDS = 10;
/** Most rounds if arbitrage between pools earns more than the part `LOOSE` of the trade's value without any trade. */
const FEW_ROUNDS = 2;
const LOOSE = 0.01;
/** Tolerance of the flow between rounds. */
const ROUGH = 5e-7;
/** Tolerance of the flow between rounds, as a part of the earnings of the tokens that a round adds. */
const ROUGHLY = 0.02;
/** Roughest tolerance of the flow between rounds, as a part of the trade's value. */
const ROUGHEST = 1e-4;
/** Part of all earnings that pools have to earn at a token for it to join, and limit on those that join at once. */
const NOTICED = 1e-3;
const AT_ONCE = 64;

/**
 * Minimises the dual of the trade over all pools, from the prices of some flow: tokens around it cost what a parcel can
 * buy them for; the tokens at which pools then earn more than their gas join those that are minimised over together,
 * until none does. The dual of an amount to buy is (what all pools earn - bought) / price of the sold token: no route takes
 * less than that, negative. `ownMost`: the most that an exact-out trade sells for prices to prove anything of it, which are minimised
 * for it then, unless there is much arbitrage between pools. `isRough`: to find which pools a trade takes rather than to prove a bound.
 */
export function relax(
  search: Search,
  start: ReadonlyMap<number, number>,
  sellAmount: number,
  ownMost?: number,
  isRough = false,
): Relaxed {
  const { source, graph, bundles: hubs } = search;
  const model = emptyModel();
  const level = levelOf(search, start);
  const loose = earnsAtSpot(search, level, LOOSE * sellAmount * Math.exp(start.get(source) as number));
  const rounds = loose || isRough ? FEW_ROUNDS : MAX_ROUNDS;
  const exactInTrade: Trade = { side: "exactIn", amount: sellAmount };
  const isExactOut = !loose && ownMost !== undefined;
  const trade: Trade = isExactOut ? { side: "exactOut", amount: search.amount } : exactInTrade;
  const mostSold = isExactOut ? ownMost : sellAmount;
  const logSpotPrice = (node: number) => Math.log(level * (graph.rest[node] as number));
  extend(search, model, [...start.keys(), ...hubs.hubs], (node) => start.get(node) ?? logSpotPrice(node));
  /** With the bound that the prices would prove without a limit on the number of pools, in the form of `Flow`. */
  let best: (Pick<Relaxed, "measured" | "logPrices"> & { readonly reached: number }) | undefined;
  let wanted = ROUGH;
  let full = false;
  for (let round = 0; ; round++) {
    const problem = { edges: Array.from(model.slots, graph.edgeAt), bundles: model.bundles };
    const flow = solveFlow(search, problem, trade, model.nodes, wanted);
    // As long as an amount to buy is more than these pools pay.
    const { logPrices } = flow.pays ? flow : solveFlow(search, problem, exactInTrade, model.nodes, wanted);
    const sellPrice = Math.exp(logPrices.get(source) as number);
    /** Value of the trade in bought units, and of one bought unit in the units of the dual. */
    const [worth, unit] = isExactOut ? [search.amount, 1 / sellPrice] : [sellAmount * sellPrice, 1];
    /** The least that all pools together can leave, by what the model says. */
    const least = flow.pays ? flow.value - wanted * worth * unit : Number.NEGATIVE_INFINITY;
    const measured = measure(search, logPrices, mostSold, { worth });
    const reached = isExactOut ? (measured.unlimited - search.amount) * unit - mostSold : measured.unlimited;
    const isBetter = best === undefined || reached < best.reached;
    if (best === undefined || isBetter) best = { measured, logPrices, reached };
    const enough = closeEnough(search) * worth;
    const closest = Math.min(ROUGH, enough / worth);
    const missing = missingOf(search, model, measured);
    const nothingNew = missing.earned <= enough;
    const isDone = best.reached - least <= enough * unit || ((nothingNew || full) && wanted <= closest);
    if (isDone || round >= rounds || search.over()) break;
    const priceOf = (node: number) => Math.log(outerPrice(search, measured.prices, node));
    model.nodes = new Map(isBetter ? logPrices : [...model.nodes, ...best.logPrices]);
    const before = model.slots.size;
    const isNew = (node: number) => !model.nodes.has(node);
    const fresh = nodesThatEarn(search, measured.earners, isNew, NOTICED * missing.earned);
    const others = nothingNew ? [] : [...fresh.slice(0, AT_ONCE), ...hubs.hubs];
    extend(search, model, [...start.keys(), ...others], priceOf);
    join(search, model, missing.slots);
    full = model.slots.size === before;
    const roughest = Math.min(ROUGHEST, (ROUGHLY * missing.earned) / worth);
    wanted = nothingNew || full ? closest : Math.max(closest, roughest);
  }
  const { measured, logPrices } = best;
  let carrying: readonly Edge[] | undefined;
  const edges = () => {
    carrying ??= carryingAt(search, model, logPrices, trade);
    return carrying;
  };
  return { measured, logPrices, edges, hopeless: false, mostSold: isExactOut ? mostSold : 0 };
}

/** Whether pools earn more without any trade than this brings: then arbitrage is all that prices see. */
export function isHopeless(search: Search, buyAmount: number): boolean {
  return earnsAtSpot(search, 1, buyAmount * (search.graph.rest[search.sink] as number));
}

/** Bound that spot prices prove. */
export function spotBound(search: Search, sellAmount: number): Relaxed {
  const { source, sink, graph } = search;
  const logPrices = new Map([
    [source, Math.log((graph.rest[source] as number) / (graph.rest[sink] as number))],
    [sink, 0],
  ]);
  const measured = measureSpot(search, logPrices, sellAmount);
  return { measured, logPrices, edges: () => [], hopeless: true, mostSold: 0 };
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
function missingOf({ graph: { from, to }, bundles: hubs }: Search, model: Model, { earners }: Measured) {
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
