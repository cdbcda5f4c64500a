/**
 * Cost that a block with trades in one pool of a hundred adds to the next answer, and the memory held after many
 * blocks.
 *
 *   node --expose-gc bench/routing/block-cost.ts [--router CHECKOUT] [--against CHECKOUT] [--only 100k,v2-ftm] [--seed 1]
 *
 * Routers that are compared are asked in turns, in one process.
 */
import { parseArgs } from "node:util";
import type { SwapOrder } from "../../src/domain/order.ts";
import { quantile } from "../quantile.ts";
import { blocksOf, costsInTurns } from "./blocks.ts";
import { routerOf } from "./router-of.ts";
import { chosenSets } from "./sets/bench-sets.ts";
import { requestsIn } from "./sets/requests.ts";

const { values: options } = parseArgs({
  options: {
    router: { type: "string" },
    against: { type: "string" },
    only: { type: "string", default: "100k" },
    seed: { type: "string", default: "1" },
  },
});
type ExactIn = Extract<SwapOrder, { kind: "exactIn" }>;
/** The asked amount as a part of that of a request. */
const SMALLER = 10_000n;
const GOAL_MS: Readonly<Record<string, number>> = { "100k": 10 };

/** Mebibytes that are not garbage; undefined where the collector cannot be called. */
function heldMiB(): string {
  if (globalThis.gc === undefined) return "–";
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return ((heapUsed + external) / 2 ** 20).toFixed(0);
}

const checkouts = options.against === undefined ? [options.router] : [options.against, options.router];
console.log("| pools | router | ms p10 / p50 / p90 of a block in which 1 % trade | memory held, MiB |");
console.log(`|${"---|".repeat(4)}`);
for (const [key, set] of chosenSets(options.only)) {
  if (set === undefined) {
    console.log(`${key} is skipped: ../shared/data is not there`);
    continue;
  }
  const [request] = requestsIn(set, { pairs: "random", kind: "exactIn", count: 1, seed: Number(options.seed) });
  // The search itself costs little for a small trade, so that the block's cost shows.
  const order = { ...request, sellAmount: (request as ExactIn).sellAmount / SMALLER } as ExactIn;
  const routers = [];
  for (const checkout of checkouts) routers.push((await routerOf(checkout))());
  const costs = costsInTurns(routers, blocksOf(set.pools), order);
  const held = heldMiB();
  for (const [i, ms] of costs.entries()) {
    const goal = GOAL_MS[key] === undefined ? "" : ` (p50 ${GOAL_MS[key]})`;
    const spread = [0.1, 0.5, 0.9].map((part) => quantile(ms, part).toFixed(1)).join(" / ");
    console.log(`| ${set.name} | ${checkouts[i] ?? "this checkout"} | ${spread}${goal} | ${held} |`);
  }
}
