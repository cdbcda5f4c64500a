/**
 * Certificate gaps at ordinary sizes: on a devnet that nobody has traded on, after twenty trades there, and on v2-ftm
 * as it is. One line per market and kind of order with its goals, then the rows above 100 bp.
 *
 *   node bench/routing/devnet-gaps.ts [--router CHECKOUT] [--only fresh,traded,v2-ftm] [--seed 1] [--json FILE]
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { graphOf } from "../../fixtures/routing/request.ts";
import { fillsOf } from "../../src/domain/route.ts";
import { optimalityOf } from "../../src/quoting/price/prices.ts";
import { quantile } from "../quantile.ts";
import { ask, processorMs } from "./ask.ts";
import { routerOf } from "./router-of.ts";
import { type DollarMarket, devnetMarket, fantomMarket, tradedMarket } from "./sets/dollar-markets.ts";

const { values: options } = parseArgs({
  options: {
    router: { type: "string" },
    only: { type: "string", default: "fresh,traded,v2-ftm" },
    seed: { type: "string", default: "1" },
    json: { type: "string" },
  },
});
const seed = Number(options.seed);
const DOLLARS = [1, 10, 100, 1_000, 10_000];
/** Basis points above which a row is shown. */
const MAX_BPS = 100;

const MARKETS: Readonly<
  Record<string, { readonly make: () => DollarMarket; readonly median: number; readonly most?: number }>
> = {
  fresh: { make: devnetMarket, median: 5, most: MAX_BPS },
  traded: { make: () => tradedMarket(devnetMarket(), seed), median: 5, most: MAX_BPS },
  "v2-ftm": { make: () => fantomMarket(seed), median: 20 },
};

/** One request and what its answer proves. */
interface Row {
  readonly market: string;
  readonly order: "exactIn" | "exactOut";
  readonly pair: string;
  readonly dollars: number;
  /** Basis points; null: no bound; undefined: no route. */
  readonly gap: number | null | undefined;
  readonly fills: number;
  readonly ms: number;
}

const create = await routerOf(options.router);

function rowsOf(name: string, market: DollarMarket): readonly Row[] {
  const graph = graphOf(market.pools, market.time);
  const router = create();
  const rows: Row[] = [];
  for (const kind of ["exactIn", "exactOut"] as const)
    for (const [first, second] of market.pairs)
      for (const [sell, buy] of [
        [first, second],
        [second, first],
      ] as const)
        for (const dollars of DOLLARS) {
          const amount = market.units(kind === "exactIn" ? sell : buy, dollars);
          const ends = { sellToken: sell, buyToken: buy };
          const order =
            kind === "exactIn" ? { kind, ...ends, sellAmount: amount } : { kind, ...ends, buyAmount: amount };
          const { ms, result } = processorMs(() => ask(router, { graph, cost: market.cost, order }));
          const about = {
            market: name,
            order: kind,
            pair: `${market.symbol(sell)} → ${market.symbol(buy)}`,
            dollars,
            ms,
          };
          if (!result.found) rows.push({ ...about, gap: undefined, fills: 0 });
          else {
            const rate = market.cost.rate(kind === "exactIn" ? buy : sell);
            const part = result.certificate && optimalityOf(result.certificate, kind, rate)?.gap;
            const gap = part == null ? null : (Number(part.num) / Number(part.den)) * 10_000;
            rows.push({ ...about, gap, fills: fillsOf(result.route).length });
          }
        }
  return rows;
}

function shown(value: number): string {
  return value >= 1e5 ? value.toExponential(1) : value.toFixed(1);
}

console.log("| market | order | gapBps p50 | p90 | max | above 100 bp | null | no route | ms p50 / p99 | requests |");
console.log(`|${"---|".repeat(10)}`);
const all: Row[] = [];
for (const name of options.only.split(",")) {
  const market = MARKETS[name];
  if (market === undefined) {
    console.error(`${name} is no market; send some of ${Object.keys(MARKETS).join()}`);
    process.exit(2);
  }
  const rows = rowsOf(name, market.make());
  all.push(...rows);
  for (const order of ["exactIn", "exactOut"]) {
    const own = rows.filter((row) => row.order === order);
    const gaps = own.flatMap(({ gap }) => (typeof gap === "number" ? [gap] : []));
    const ms = own.map((row) => row.ms);
    const above = gaps.filter((gap) => gap > MAX_BPS).length;
    const most = market.most === undefined ? "" : " (0)";
    console.log(
      `| ${name} | ${order} | ${shown(quantile(gaps, 0.5))} (${market.median}) | ${shown(quantile(gaps, 0.9))} | ` +
        `${shown(Math.max(...gaps))}${market.most === undefined ? "" : ` (${market.most})`} | ${above}${most} | ` +
        `${own.filter(({ gap }) => gap === null).length} | ${own.filter(({ gap }) => gap === undefined).length} | ` +
        `${quantile(ms, 0.5).toFixed(1)} / ${quantile(ms, 0.99).toFixed(1)} | ${own.length} |`,
    );
  }
}
for (const { market, order, pair, dollars, gap, fills } of all)
  if (typeof gap === "number" && gap > MAX_BPS)
    console.log(`${market} ${order} ${pair}, ${dollars} dollars: ${shown(gap)} bp, ${fills} fills`);
if (options.json !== undefined) writeFileSync(options.json, JSON.stringify(all));
