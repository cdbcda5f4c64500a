import { solveFlow } from "../flow/flow.ts";
import type { Search } from "../session/search.ts";
import { type Measured, measure, mostProven, nodesThatEarn } from "./measure.ts";
import { carryingAt, emptyModel, extend, join } from "./price-model.ts";
import type { Relaxed } from "./relax.ts";

/** More than any pool can be sold: token amounts are integers below it. */
const ALL = 2 ** 256;
/** Worth of all that at the prices of a proof, as a part of the amount to buy. */
const SLIGHT = 1e-3;
/** Level at which tokens cost as good as nothing. */
const FOR_NOTHING = 1e-200;
/** Tokens that join at once: those at which pools earn most, and more than a part of the amount to buy. */
const AT_ONCE = 32;
const NOTICED = 1e-3;
const MAX_ROUNDS = 10;
/** Tolerance of the flow, as a part of the amount to buy. */
const CLOSE = 0.01;

/**
 * Prices that prove that no route pays an amount to buy, whatever it sells; undefined where there are none. They are minimised over
 * the tokens around both ends, then over those at which pools still earn. All others begin at their spot prices: where a token is sold
 * off by far it costs a part of that, and from prices near nothing no step leads back.
 */
export function shortage(search: Search): Relaxed | undefined {
  const { source, sink, graph, amount } = search;
  const { rest } = graph;
  const trade = sellingAll(search);
  const level = 1 / (rest[sink] as number);
  const model = emptyModel();
  let logPrices: ReadonlyMap<number, number> = new Map([
    [source, Math.log((SLIGHT * amount) / ALL)],
    [sink, 0],
  ]);
  const newAt = (measured: Measured, least: number) =>
    nodesThatEarn(search, measured.earners, (node) => !logPrices.has(node), least).slice(0, AT_ONCE);
  const atSpot = (lift: number) => measure(search, logPrices, ALL, { worth: Number.POSITIVE_INFINITY, level: lift });
  let fresh = [level, FOR_NOTHING].flatMap((lift) => newAt(atSpot(lift), 0));
  let earning: readonly number[] = [];
  for (let round = 0; round < MAX_ROUNDS && !search.over(); round++) {
    const before = model.nodes.size + model.slots.size;
    const priceOf = (node: number) => logPrices.get(node) ?? Math.log(level * (rest[node] as number));
    extend(search, model, [...logPrices.keys(), ...fresh], priceOf);
    join(search, model, earning);
    if (model.nodes.size + model.slots.size === before) return undefined;
    const problem = { edges: Array.from(model.slots, graph.edgeAt), bundles: model.bundles };
    const flow = solveFlow(search, problem, trade, model.nodes, CLOSE / SLIGHT);
    model.nodes = new Map([...model.nodes, ...flow.logPrices]);
    logPrices = model.nodes;
    const measured = measure(search, logPrices, ALL, { worth: amount });
    if (mostProven(measured.proof, trade) < amount) {
      const edges = () => carryingAt(search, model, logPrices, trade);
      return { measured, logPrices, edges, hopeless: false, mostSold: 0 };
    }
    // These tokens alone may pay it.
    if (!(flow.value < (1 + CLOSE) * amount)) return undefined;
    earning = measured.earners.map(({ slot }) => slot);
    fresh = newAt(measured, NOTICED * amount);
  }
  return undefined;
}

/** The exact-in trade of all that anyone could sell. */
export function sellingAll(search: Search): Search {
  return { ...search, side: "exactIn", amount: ALL, costPerGas: 0 };
}
