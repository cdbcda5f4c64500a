import { randomOf } from "../../fixtures/random.ts";
import { addressOf, concentratedOf, pairOf } from "../../fixtures/routing/pools.ts";
import { budgetOf, FREE, graphOf } from "../../fixtures/routing/request.ts";
import { fillsOf } from "../../src/domain/route.ts";
import type { Pool } from "../../src/pools/pool.ts";
import { SEARCH_BUDGET } from "../../src/quoting/search/search-budget.ts";
import { createRouter } from "../../src/routing/create-router.ts";
import type { NetworkCost } from "../../src/routing/router.ts";
import { processorMs } from "./figures.ts";

const UNIT = 10n ** 18n;
const GAS: NetworkCost = { gasPrice: 10n ** 11n, rate: () => ({ num: 1n, den: 1n }) };
/** Sold amounts, from dust to more than all pools hold. */
const AMOUNTS = [1_000n, UNIT / 1000n, UNIT, 1000n * UNIT, 1_000_000n * UNIT];

/** What a search costs at most, of all amounts, with gas and without. */
export interface Worst {
  readonly name: string;
  readonly pools: number;
  readonly ms: number;
  readonly mostFills: number;
  readonly refused: number;
  readonly asked: number;
}

/** Graphs that searches are afraid of: everything with everything, thousands side by side, and long chains of dust. */
export function worstCases(): readonly Worst[] {
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
  const router = createRouter();
  const budget = budgetOf(SEARCH_BUDGET);
  let [ms, mostFills, refused] = [0, 0, 0];
  for (const cost of [FREE, GAS])
    for (const sellAmount of AMOUNTS) {
      const order = { kind: "exactIn", sellToken: addressOf(1), buyToken: addressOf(2), sellAmount } as const;
      const ask = () => router.findBest({ order, graph, allows: () => true, cost, budget });
      ask();
      const run = processorMs(ask);
      ms = Math.max(ms, run.ms);
      if (run.result.found) mostFills = Math.max(mostFills, fillsOf(run.result.route).length);
      else refused++;
    }
  return { name, pools: pools.length, ms, mostFills, refused, asked: 2 * AMOUNTS.length };
}
