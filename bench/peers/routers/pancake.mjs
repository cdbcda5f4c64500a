/**
 * PancakeSwap's two routers, offline, on its own BSC constants: `smart` (candidate routes times percentages) and
 * `infinity` (search over the graph, in streams). Its V2 pools have a fixed fee of 0.25 %. Neither can cope with
 * thousands of pools: as in its own product, pools are selected first, outside of its time. The SmartRouter gets what its
 * own selection takes of all pools (by what they hold, around its base tokens), the InfinityRouter every pool on a path
 * of at most three between the two tokens, which is as long as it looks at.
 */
import { createRequire } from "node:module";
import { renaming, serve, timed } from "./serve.ts";

const require = createRequire(import.meta.url);
const { InfinityRouter, PoolType, SmartRouter } = require("@pancakeswap/smart-router");
const { bscTokens } = require("@pancakeswap/tokens");
const { CurrencyAmount, ERC20Token, Percent, TradeType, WNATIVE } = require("@pancakeswap/sdk");
const { Tick } = require("@pancakeswap/v3-sdk");

const CHAIN = 56;
const MAX_HOPS = 3;
const V3_FEES = new Set([100, 500, 2500, 10_000]);
const which = process.argv[2];

console.warn = () => {};
console.log = () => {};

serve((universe) => {
  const names = renaming([
    [universe.hubs.native, WNATIVE[CHAIN].address],
    [universe.hubs.usdc, bscTokens.usdc.address],
    [universe.hubs.usdt, bscTokens.usdt.address],
    [universe.hubs.dai, bscTokens.usd1.address],
    [universe.hubs.btc, bscTokens.btcb.address],
    [universe.hubs.eth, bscTokens.eth.address],
  ]);
  const tokens = new Map();
  const tokenOf = (address) => {
    if (address === universe.hubs.native) return WNATIVE[CHAIN];
    const known = tokens.get(address);
    if (known !== undefined) return known;
    const name = names.to(address);
    const token = new ERC20Token(CHAIN, name, universe.decimals.get(address) ?? 18, name.slice(0, 8), name);
    tokens.set(address, token);
    return token;
  };
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
    return [{ made, tokens: pool.tokens, worth: universe.worth.get(pool.id) ?? 0 }];
  });
  all.sort((a, b) => b.worth - a.worth);
  const neighbours = new Map();
  for (const { tokens: pair } of all)
    for (const token of pair) neighbours.set(token, (neighbours.get(token) ?? new Set()).union(new Set(pair)));
  /** Pools from a token to those around it, below `MAX_HOPS`. */
  const around = (token) => {
    const found = new Map([[token, 0]]);
    for (const [from, hops] of found)
      if (hops + 1 < MAX_HOPS)
        for (const other of neighbours.get(from) ?? []) if (!found.has(other)) found.set(other, hops + 1);
    return found;
  };
  const between = ({ sellToken, buyToken }) => {
    const [start, end] = [around(sellToken), around(buyToken)];
    const hops = (from, to) => (start.get(from) ?? MAX_HOPS) + 1 + (end.get(to) ?? MAX_HOPS);
    return all.flatMap(({ made, tokens: [a, b] }) => (Math.min(hops(a, b), hops(b, a)) <= MAX_HOPS ? [made] : []));
  };
  const ofType = (type) =>
    all.flatMap(({ made, worth }) => (made.type === type ? [{ ...made, tvlUSD: BigInt(Math.round(worth)) }] : []));
  const [v2, v3] = [ofType(PoolType.V2), ofType(PoolType.V3)];
  const selected = ({ sellToken, buyToken }) => {
    const ends = [tokenOf(sellToken), tokenOf(buyToken)];
    return [
      ...SmartRouter.v2PoolSubgraphSelection(...ends, v2.slice()),
      ...SmartRouter.v3PoolSubgraphSelection(...ends, v3.slice()),
    ];
  };
  /** Value of one whole token in whole native tokens. */
  const price = (token) => (universe.values.get(token) ?? 0) * 10 ** ((universe.decimals.get(token) ?? 18) - 18);

  return async (request) => {
    const amount = CurrencyAmount.fromRawAmount(tokenOf(request.sellToken), request.sellAmount);
    const quote = tokenOf(request.buyToken);
    const pools = which === "infinity" ? between(request) : selected(request);
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
          pool: pool.poolId,
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
