/**
 * PancakeSwap's two routers, offline, on its own BSC constants: `smart` (candidate routes times percentages) and
 * `infinity` (search over the graph, in streams). Its V2 pools have a fixed fee of 0.25 %. Neither can cope with
 * thousands of pools: as in its own product, pools are selected first. The SmartRouter gets those between the two tokens
 * and the chief tokens, the InfinityRouter those between the two tokens and the 24 that most pools hold, the three
 * deepest of a pair at most.
 */
import { createRequire } from "node:module";
import { renaming, serve, timed } from "./serve.ts";

const require = createRequire(import.meta.url);
const { InfinityRouter, PoolType, SmartRouter } = require("@pancakeswap/smart-router");
const { CurrencyAmount, ERC20Token, Percent, TradeType, WNATIVE } = require("@pancakeswap/sdk");
const { Tick } = require("@pancakeswap/v3-sdk");

const CHAIN = 56;
const MOST_OF_A_PAIR = 3;
const WELL_CONNECTED = 24;
const V3_FEES = new Set([100, 500, 2500, 10_000]);
const which = process.argv[2];

console.warn = () => {};
console.log = () => {};

serve((universe) => {
  const names = renaming([[universe.hubs.native, WNATIVE[CHAIN].address]]);
  const tokens = new Map();
  const tokenOf = (address) => {
    if (address === universe.hubs.native) return WNATIVE[CHAIN];
    const known = tokens.get(address);
    if (known !== undefined) return known;
    const token = new ERC20Token(CHAIN, address, universe.decimals.get(address) ?? 18, address.slice(0, 8), address);
    tokens.set(address, token);
    return token;
  };
  const ids = new Map();
  const zero = new Percent(0, 1);
  const all = universe.pools.flatMap((pool) => {
    const [a, b] = pool.tokens.map(tokenOf);
    const [first, second] = a.sortsBefore(b) ? [0, 1] : [1, 0];
    let made;
    if (pool.curve === "constant-product") {
      const reserve = (i) => CurrencyAmount.fromRawAmount([a, b][i], pool.state.reserves[i]);
      made = { type: PoolType.V2, reserve0: reserve(first), reserve1: reserve(second), poolId: pool.id };
    } else if (pool.curve === "concentrated" && V3_FEES.has(pool.state.feePpm)) {
      const { state } = pool;
      const held = (i) =>
        CurrencyAmount.fromRawAmount([a, b][i], BigInt(Math.round(universe.held.get(pool.id)?.[i] ?? 0)));
      made = {
        type: PoolType.V3,
        token0: a,
        token1: b,
        fee: state.feePpm,
        liquidity: state.liquidity,
        sqrtRatioX96: state.sqrtPriceX96,
        tick: state.tick,
        address: pool.id,
        token0ProtocolFee: zero,
        token1ProtocolFee: zero,
        ticks: state.ticks.map((tick) => new Tick(tick)),
        reserve0: held(0),
        reserve1: held(1),
        poolId: pool.id,
      };
    } else return [];
    ids.set(made, pool.id);
    return [{ made, tokens: pool.tokens, worth: universe.worth.get(pool.id) ?? 0 }];
  });
  all.sort((a, b) => b.worth - a.worth);
  const counted = new Map();
  for (const { tokens: pair } of all) for (const token of pair) counted.set(token, (counted.get(token) ?? 0) + 1);
  const connected = [...counted.keys()].sort((a, b) => counted.get(b) - counted.get(a)).slice(0, WELL_CONNECTED);
  const between = which === "infinity" ? connected : Object.values(universe.hubs);
  const candidates = ({ sellToken, buyToken }) => {
    const ends = new Set([sellToken, buyToken, ...between]);
    const counts = new Map();
    return all.flatMap(({ made, tokens: pair }) => {
      const key = [...pair].sort().join();
      const count = counts.get(key) ?? 0;
      if (count >= MOST_OF_A_PAIR || !pair.every((token) => ends.has(token))) return [];
      counts.set(key, count + 1);
      return [made];
    });
  };
  /** Value of one whole token in whole native tokens. */
  const price = (token) => (universe.values.get(token) ?? 0) * 10 ** ((universe.decimals.get(token) ?? 18) - 18);

  return async (request) => {
    const amount = CurrencyAmount.fromRawAmount(tokenOf(request.sellToken), request.sellAmount);
    const quote = tokenOf(request.buyToken);
    const pools = candidates(request);
    const { result, error, spent } = await timed(() =>
      which === "infinity"
        ? InfinityRouter.getBestTrade(amount, quote, TradeType.EXACT_INPUT, {
            gasPriceWei: request.gasPrice,
            candidatePools: pools,
          })
        : SmartRouter.getBestTrade(amount, quote, TradeType.EXACT_INPUT, {
            gasPriceWei: request.gasPrice,
            poolProvider: SmartRouter.createStaticPoolProvider(pools),
            quoteProvider: SmartRouter.createOffChainQuoteProvider(),
            allowedPoolTypes: [PoolType.V2, PoolType.V3],
            quoterOptimization: true,
            nativeCurrencyUsdPrice: 1000,
            quoteCurrencyUsdPrice: Number((1000 * price(request.buyToken)).toPrecision(6)),
          }),
    );
    if (error !== undefined) {
      if (/valid swap route|No valid route|Invalid (start|finish)/i.test(error.message))
        return { plan: undefined, spent };
      throw error;
    }
    if (result === undefined || result === null) return { plan: undefined, spent };
    const plan = result.routes.map((route) => {
      const path = route.path.map((token) => names.from(token.address));
      return {
        sellAmount: route.inputAmount.quotient,
        hops: route.pools.map((pool, i) => ({
          pool: ids.get(pool) ?? pool.poolId,
          sellToken: path[i],
          buyToken: path[i + 1],
        })),
      };
    });
    // What percentages leave over goes to the last path.
    const sold = plan.reduce((sum, path) => sum + path.sellAmount, 0n);
    plan.at(-1).sellAmount += request.sellAmount - sold;
    return { plan, spent };
  };
});
