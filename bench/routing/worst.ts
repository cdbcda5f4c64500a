/**
 * Highest cost of a search on hard graphs, over all amounts, with gas and without.
 *
 *   node bench/routing/worst.ts [--router CHECKOUT]
 */
import { parseArgs } from "node:util";
import { randomOf } from "../../fixtures/random.ts";
import { addressOf, concentratedOf, pairOf } from "../../fixtures/routing/pools.ts";
import { FREE, graphOf } from "../../fixtures/routing/request.ts";
import { fillsOf } from "../../src/domain/route.ts";
import type { Pool } from "../../src/pools/pool.ts";
import type { NetworkCost } from "../../src/routing/router.ts";
import { ask, processorMs } from "./ask.ts";
import { routerOf } from "./router-of.ts";

const { values: options } = parseArgs({ options: { router: { type: "string" } } });
const create = await routerOf(options.router);
const UNIT = 10n ** 18n;
const GAS: NetworkCost = { gasPrice: 10n ** 11n, rate: () => ({ num: 1n, den: 1n }) };
/** Sold amounts, from dust to more than all pools hold. */
const AMOUNTS = [1_000n, UNIT / 1000n, UNIT, 1000n * UNIT, 1_000_000n * UNIT];

/** Highest cost of a search, over all amounts, with gas and without. */
interface Worst {
  readonly name: string;
  readonly pools: number;
  readonly ms: number;
  readonly mostFills: number;
  readonly refused: number;
  readonly asked: number;
}

/** Graphs that searches are afraid of: everything with everything, thousands side by side, and long chains of dust. */
function worstCases(): readonly Worst[] {
  const random = randomOf(3);
  const tokens = Array.from({ length: 400 }, (_, i) => addressOf(i + 1));
  const token = (i: number) => tokens[i] as (typeof tokens)[number];
  const size = () => UNIT * BigInt(1 + Math.floor(1_000 * random()));
  const pair = (n: number, i: number, j: number, held: bigint) =>
    pairOf(n, [token(i), token(j)], [held, (held * BigInt(9_900 + Math.floor(200 * random()))) / 10_000n]);
  const clique: Pool[] = [];
  for (let i = 0; i < 100; i++) for (let j = 0; j < i; j++) clique.push(pair(clique.length, i, j, size()));
  const parallel = Array.from({ length: 5_000 }, (_, n) => {
    if (n % 3 !== 0) return pair(n, 0, 1, size());
    return concentratedOf(n, [token(0), token(1)], Math.floor(100 * (random() - 0.5)), 30n * size());
  });
  const dust: Pool[] = [];
  while (dust.length < 5_000) {
    const [i, j] = [Math.floor(random() * 400), Math.floor(random() * 400)];
    const held = BigInt(100 + Math.floor(10 ** (6 * random())));
    if (i !== j) dust.push(pair(dust.length, i, j, held));
  }
  return [worstOf("100 tokens, each with each", clique), worstOf("two tokens", parallel), worstOf("dust", dust)];
}

function worstOf(name: string, pools: readonly Pool[]): Worst {
  const graph = graphOf(pools);
  const router = create();
  let [ms, mostFills, refused] = [0, 0, 0];
  for (const cost of [FREE, GAS])
    for (const sellAmount of AMOUNTS) {
      const order = { kind: "exactIn", sellToken: addressOf(1), buyToken: addressOf(2), sellAmount } as const;
      const asked = () => ask(router, { graph, cost, order });
      asked();
      const run = processorMs(asked);
      ms = Math.max(ms, run.ms);
      if (run.result.found) mostFills = Math.max(mostFills, fillsOf(run.result.route).length);
      else refused++;
    }
  return { name, pools: pools.length, ms, mostFills, refused, asked: 2 * AMOUNTS.length };
}

console.log("| worst cases | pools | most ms | most fills | refused |");
console.log(`|${"---|".repeat(5)}`);
for (const { name, pools, ms, mostFills, refused, asked } of worstCases())
  console.log(`| ${name} | ${pools} | ${ms.toFixed(0)} | ${mostFills} | ${refused} of ${asked} |`);
