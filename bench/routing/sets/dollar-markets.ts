import { fileURLToPath } from "node:url";
import { randomOf } from "../../../fixtures/random.ts";
import { USUAL_FEE } from "../../../fixtures/universes/built-in.ts";
import { costIn } from "../../../fixtures/universes/gas-cost.ts";
import { fantomUniverse } from "../../../fixtures/universes/priced.ts";
import { openMarket } from "../../../src/compose/snapshot-market.ts";
import type { Address } from "../../../src/domain/address.ts";
import type { PoolId } from "../../../src/domain/route.ts";
import { mathOf, type Pool, withState } from "../../../src/pools/pool.ts";
import { isRejection } from "../../../src/pools/pool-math.ts";
import type { NetworkCost } from "../../../src/routing/router.ts";
import { readSnapshotFile } from "../../../src/snapshot/file.ts";
import { GreedySearch } from "../../peers/routers/greedy-search.ts";

/** Pools whose tokens are worth known dollars, and pairs of them. */
export interface DollarMarket {
  readonly pools: readonly Pool[];
  readonly time: bigint;
  readonly pairs: readonly (readonly [Address, Address])[];
  readonly cost: NetworkCost;
  /** Base units that so many dollars are worth. */
  units(token: Address, dollars: number): bigint;
  symbol(token: Address): string;
}

const DEVNET = fileURLToPath(new URL("../../universes/devnet.bin", import.meta.url));
const DEVNET_PAIRS = [
  ["USDH", "ETH"],
  ["WETH", "DSD"],
  ["USDH", "DSD"],
  ["USDH", "EURF"],
  ["WBT", "ETH"],
  ["WBT", "USDR"],
  ["MOSS", "USDH"],
  ["REED", "TIDE"],
  ["PEBL", "FERN"],
  ["SILT", "ETH"],
] as const;
const USDC_UNITS = 1e6;
const TRADES = 20;
const FANTOM_PAIRS = 10;
const FANTOM_TOKENS = 12;
const FANTOM_GAS_PRICE = 100_000_000_000n;

/** The embedded devnet as it starts (bench/universes/README.md), with its own gas price. */
export function devnetMarket(): DollarMarket {
  const saved = readSnapshotFile(DEVNET);
  const opened = openMarket(saved).market.current();
  if ("unavailable" in opened) throw new Error(opened.unavailable);
  const { rates, gasPrice, graph } = opened.snapshot;
  const named = (symbol: string): Address => {
    const token = saved.tokens.find((one) => one.symbol === symbol);
    if (token === undefined) throw new Error(`the devnet has no ${symbol}`);
    return token.address;
  };
  /** Base units per wei. */
  const rateOf = (token: Address): number => {
    const rate = rates.perNative(token);
    if (rate === undefined) throw new Error(`${token} has no rate`);
    return Number(rate.num) / Number(rate.den);
  };
  const dollar = USDC_UNITS / rateOf(named("USDH"));
  return {
    pools: saved.pools.map(({ pool }) => pool),
    time: graph.time,
    pairs: DEVNET_PAIRS.map(([a, b]) => [named(a), named(b)] as const),
    cost: { gasPrice, rate: (token) => rates.perNative(token) },
    units: (token, dollars) => BigInt(Math.round(dollars * dollar * rateOf(token))),
    symbol: (token) => saved.tokens.find(({ address }) => address === token)?.symbol ?? token,
  };
}

/**
 * A market after twenty trades between random ones of its pairs, of 10 to 10,000 dollars, log-uniform: each along the best
 * single path, as a wallet without an aggregator trades. No router has a part in them.
 */
export function tradedMarket(market: DollarMarket, seed: number): DollarMarket {
  const random = randomOf(seed);
  const pools = new Map<PoolId, Pool>(market.pools.map((pool) => [pool.id, pool]));
  for (let trade = 0; trade < TRADES; ) {
    const pair = market.pairs[Math.floor(random() * market.pairs.length)] as readonly [Address, Address];
    const [sellToken, buyToken] = random() < 0.5 ? pair : ([pair[1], pair[0]] as const);
    const sellAmount = market.units(sellToken, 10 * 1000 ** random());
    const search = new GreedySearch({ pools: [...pools.values()], time: market.time });
    const path = search.singles({ sellToken, buyToken, sellAmount }).at(-1)?.[0];
    if (path === undefined) continue;
    trade++;
    let amount = sellAmount;
    for (const hop of path.hops) {
      const pool = pools.get(hop.pool) as Pool;
      const direction = { sell: pool.tokens.indexOf(hop.sellToken), buy: pool.tokens.indexOf(hop.buyToken) };
      const quote = mathOf(pool).quoteExactIn(pool.state, direction, amount, market.time);
      if (isRejection(quote)) throw new Error(`${pool.id} refuses ${amount}: ${quote.rejected}`);
      pools.set(pool.id, withState(pool, quote.next));
      amount = quote.amount;
    }
  }
  return { ...market, pools: [...pools.values()] };
}

/** v2-ftm as it is, ten random pairs of the tokens that most pools hold. */
export function fantomMarket(seed: number): DollarMarket {
  const universe = fantomUniverse(USUAL_FEE, false);
  const { pools, time, values, hubs } = universe;
  const random = randomOf(seed);
  const held = new Map<Address, number>();
  for (const pool of pools) for (const token of pool.tokens) held.set(token, (held.get(token) ?? 0) + 1);
  const best = [...held.keys()]
    .filter((token) => values.has(token))
    .sort((a, b) => (held.get(b) ?? 0) - (held.get(a) ?? 0))
    .slice(0, FANTOM_TOKENS);
  const pairs = new Map<string, readonly [Address, Address]>();
  while (pairs.size < FANTOM_PAIRS) {
    const pick = () => best[Math.floor(random() * best.length)] as Address;
    const [a, b] = [pick(), pick()];
    if (a < b) pairs.set(a + b, [a, b]);
  }
  const dollar = USDC_UNITS * (values.get(hubs.usdc) as number);
  return {
    ...{ pools, time, pairs: [...pairs.values()] },
    cost: costIn(universe, FANTOM_GAS_PRICE),
    units: (token, dollars) => BigInt(Math.round((dollars * dollar) / (values.get(token) as number))),
    symbol: (token) => token,
  };
}
