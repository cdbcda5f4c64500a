import type { Address } from "../../src/domain/address.ts";
import { fillsOf } from "../../src/domain/route.ts";
import type { Pool } from "../../src/pools/pool.ts";
import { createRouter } from "../../src/routing/create-router.ts";
import type { NetworkCost } from "../../src/routing/router.ts";
import { arbitrageFree, valuesFrom } from "../../test/support/arbitrage-free.ts";
import { addressOf, budgetOf, FREE, graphOf, loadFantom, pairOf, randomOf } from "../../test/support/universe.ts";
import { greedy } from "./greedy.ts";

const REQUESTS = Number(process.argv[2] ?? 200);
const COMPARED = Number(process.argv[3] ?? 6);
const CHUNKS = 1000;
const REPEATS = 3;
const GAS_PRICE = 100_000_000_000n;
/** Answers below this many base units are rounded too coarsely to speak of basis points. */
const FINE_ENOUGH = 1_000_000n;

interface Trade {
  readonly group: "best-connected" | "random";
  readonly sellToken: Address;
  readonly buyToken: Address;
  readonly sellAmount: bigint;
}

interface Setting {
  readonly name: string;
  readonly pools: readonly Pool[];
  /** Value of a base unit of each token in wei of the native token. */
  readonly values: ReadonlyMap<Address, number>;
}

/** Half of the pairs among the 50 best-connected tokens, half random; sizes log-uniform up to the smaller depth. */
function tradesIn({ pools, values }: Setting): readonly Trade[] {
  const random = randomOf(20_260_721);
  const depths = new Map<Address, { pools: number; worth: number }>();
  for (const pool of pools) {
    if (pool.curve !== "constant-product") continue;
    for (const [i, token] of pool.tokens.entries()) {
      const known = depths.get(token) ?? { pools: 0, worth: 0 };
      const worth = Number(pool.state.reserves[i]) * (values.get(token) ?? 0);
      depths.set(token, { pools: known.pools + 1, worth: known.worth + worth });
    }
  }
  const all = [...depths.keys()].filter((token) => values.has(token));
  const best = [...all].sort((a, b) => (depths.get(b)?.pools ?? 0) - (depths.get(a)?.pools ?? 0)).slice(0, 50);
  const trades: Trade[] = [];
  while (trades.length < REQUESTS) {
    const group = trades.length % 2 === 0 ? "best-connected" : "random";
    const among = group === "random" ? all : best;
    const pick = () => among[Math.floor(random() * among.length)] as Address;
    const [sellToken, buyToken] = [pick(), pick()];
    const depth = Math.min(depths.get(sellToken)?.worth ?? 0, depths.get(buyToken)?.worth ?? 0);
    const worth = depth * 10 ** (-5 + 5 * random());
    const sellAmount = BigInt(Math.floor(worth / (values.get(sellToken) as number)));
    if (sellToken !== buyToken && sellAmount >= FINE_ENOUGH) trades.push({ group, sellToken, buyToken, sellAmount });
  }
  return trades;
}

function run(setting: Setting, cost: NetworkCost, label: string): void {
  const { pools } = setting;
  const graph = graphOf(pools);
  const router = createRouter();
  const trades = tradesIn(setting);
  const ask = ({ sellToken, buyToken, sellAmount }: Trade) =>
    router.findBest({
      order: { kind: "exactIn", sellToken, buyToken, sellAmount },
      graph,
      allows: () => true,
      cost,
      budget: budgetOf(),
    });
  for (const trade of trades) ask(trade);
  console.log(`\n${setting.name}, ${pools.length} pools, ${label}`);
  for (const group of ["best-connected", "random"] as const) {
    const times: number[] = [];
    const gaps: number[] = [];
    const fills: number[] = [];
    let refused = 0;
    for (const trade of trades.filter((one) => one.group === group)) {
      let least = Number.POSITIVE_INFINITY;
      for (let i = 0; i < REPEATS; i++) {
        const start = performance.now();
        ask(trade);
        least = Math.min(least, performance.now() - start);
      }
      times.push(least);
      const result = ask(trade);
      if (!result.found || result.certificate === undefined) {
        refused++;
        continue;
      }
      fills.push(fillsOf(result.route).length);
      const { bound, achieved } = result.certificate;
      if (achieved >= FINE_ENOUGH) gaps.push((Number(bound - achieved) / Number(achieved)) * 1e4);
    }
    console.log(
      `  ${group.padEnd(14)} ms p50 ${at(times, 0.5)} p90 ${at(times, 0.9)} p99 ${at(times, 0.99)}` +
        ` | gap bp p50 ${at(gaps, 0.5)} p90 ${at(gaps, 0.9)} p99 ${at(gaps, 0.99)}` +
        ` | pools p50 ${at(fills, 0.5)} | refused ${refused} of ${times.length}`,
    );
  }
  if (cost !== FREE) return;
  for (const trade of trades.slice(0, COMPARED)) {
    const result = ask(trade);
    const { sellToken, buyToken, sellAmount } = trade;
    const ours = result.found ? result.route.buyAmount : 0n;
    const [one, many] = [1, CHUNKS].map((n) => greedy(pools, sellToken, buyToken, sellAmount, n, graph.time));
    console.log(
      `  ${sellToken.slice(0, 8)} to ${buyToken.slice(0, 8)}: ${ours}; against one path ${bp(ours, one)} bp,` +
        ` against ${CHUNKS} chunks ${bp(ours, many)} bp`,
    );
  }
}

function at(values: readonly number[], part: number): string {
  const sorted = [...values].sort((a, b) => a - b);
  return (sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN).toFixed(3);
}

function bp(ours: bigint, other: bigint | undefined): string {
  return other === undefined || other === 0n ? "none" : ((Number(ours - other) / Number(other)) * 1e4).toFixed(3);
}

/** Seeded pools between tokens of values over many orders, the first tokens being the hubs of all others. */
function syntheticSetting(count: number): Setting {
  const random = randomOf(7);
  const tokens = Array.from({ length: Math.ceil(count / 3) }, (_, i) => addressOf(i + 1));
  const values = new Map(tokens.map((token, i) => [token, i === 0 ? 1 : 10 ** (-6 + 8 * random())]));
  const pools = Array.from({ length: count }, (_, i) => {
    const hub = Math.floor(random() ** 3 * 12);
    const other = Math.floor(random() * tokens.length);
    const pair = [tokens[hub] as Address, tokens[other === hub ? other + 1 : other] as Address] as const;
    const worth = 10 ** (17 + 6 * random());
    const reserves = pair.map((token) => BigInt(Math.round(worth / (values.get(token) as number))));
    return pairOf(i, pair, [reserves[0] as bigint, reserves[1] as bigint]);
  });
  return { name: "synthetic", pools, values };
}

const settings: Setting[] = [syntheticSetting(2000)];
const fantom = loadFantom();
if (fantom === undefined) console.log("v2-ftm is skipped: ../shared/data is not there");
else {
  const anchor = [...fantom.symbols].find(([, symbol]) => symbol === "WFTM")?.[0] as Address;
  const flat = arbitrageFree(fantom.pools, anchor);
  settings.push({ name: "v2-ftm, free of arbitrage", pools: flat, values: valuesFrom(flat, anchor) });
  settings.push({ name: "v2-ftm, as it is", pools: fantom.pools, values: valuesFrom(flat, anchor) });
}
for (const setting of settings) {
  run(setting, FREE, "gas for nothing");
  const rate = (token: Address) => {
    const value = setting.values.get(token);
    return value === undefined ? undefined : { num: BigInt(Math.round(1e18 / value)), den: 10n ** 18n };
  };
  run(setting, { gasPrice: GAS_PRICE, rate }, "gas at 100 gwei");
}
