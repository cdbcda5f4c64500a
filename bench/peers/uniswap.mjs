/**
 * Uniswap's AlphaRouter without a node. Pools come from the universe: V2 one pool per pair (the deepest: the router
 * knows a pair's pool by its tokens alone), V3 one per pair and fee tier. V3 quotes, which it asks a contract for, come
 * from Uniswap's own v3-sdk. Gas by its own heuristics, valued at the universe's rates.
 */
import { createRequire } from "node:module";
import { renaming, serve, timed } from "./serve.ts";

const require = createRequire(import.meta.url);
const { BigNumber } = require("@ethersproject/bignumber");
const { getAddress } = require("@ethersproject/address");
const {
  AlphaRouter,
  V2QuoteProvider,
  USDC_MAINNET,
  USDT_MAINNET,
  DAI_MAINNET,
  WBTC_MAINNET,
} = require("@uniswap/smart-order-router");
const { CurrencyAmount, Token, TradeType, WETH9 } = require("@uniswap/sdk-core");
const { Protocol } = require("@uniswap/router-sdk");
const { Pair } = require("@uniswap/v2-sdk");
const { Pool, Tick, TickListDataProvider, encodeSqrtRatioX96, FeeAmount } = require("@uniswap/v3-sdk");

const CHAIN = 1;
const V2_BASE_GAS = 135_000n;
const V2_HOP_GAS = 50_000n;
const V3_BASE_GAS = 2_000n;
const V3_HOP_GAS = 80_000n;
const V3_TICK_GAS = 31_000n;

const pairKey = (a, b) => [a.toLowerCase(), b.toLowerCase()].sort().join();
const FEES = new Set(Object.values(FeeAmount).filter((fee) => typeof fee === "number"));

serve((universe) => {
  const names = renaming([
    [universe.hubs.native, WETH9[CHAIN].address],
    [universe.hubs.usdc, USDC_MAINNET.address],
    [universe.hubs.usdt, USDT_MAINNET.address],
    [universe.hubs.dai, DAI_MAINNET.address],
    [universe.hubs.btc, WBTC_MAINNET.address],
  ]);
  const tokens = new Map();
  const tokenOf = (address) => {
    const name = names.to(address);
    const known = tokens.get(name);
    if (known !== undefined) return known;
    const token =
      address === universe.hubs.native
        ? WETH9[CHAIN]
        : new Token(CHAIN, getAddress(name), universe.decimals.get(address) ?? 18, name.slice(0, 8), name);
    tokens.set(name, token);
    return token;
  };
  const worthOf = (address, amount) => Number(amount) * (universe.values.get(address) ?? 0);
  const poolIds = new Map();

  const pairs = new Map();
  const v2List = [];
  const v3Pools = new Map();
  const v3List = [];
  for (const pool of universe.pools) {
    const [a, b] = pool.tokens.map(tokenOf);
    if (pool.curve === "constant-product") {
      const key = pairKey(a.address, b.address);
      const worth = worthOf(pool.tokens[0], pool.state.reserves[0]) + worthOf(pool.tokens[1], pool.state.reserves[1]);
      if ((pairs.get(key)?.worth ?? -1) >= worth) continue;
      const [x, y] = pool.state.reserves.map(String);
      const pair = new Pair(CurrencyAmount.fromRawAmount(a, x), CurrencyAmount.fromRawAmount(b, y));
      pairs.set(key, { pair, worth, id: pool.id });
    } else if (pool.curve === "concentrated" && FEES.has(pool.state.feePpm)) {
      const { state } = pool;
      const ticks = state.ticks.map(
        (tick) =>
          new Tick({
            index: tick.index,
            liquidityNet: String(tick.liquidityNet),
            liquidityGross: String(tick.liquidityGross),
          }),
      );
      const made = new Pool(
        a,
        b,
        state.feePpm,
        String(state.sqrtPriceX96),
        String(state.liquidity),
        state.tick,
        new TickListDataProvider(ticks, state.tickSpacing),
      );
      v3Pools.set(`${pairKey(a.address, b.address)},${state.feePpm}`, made);
      poolIds.set(made, pool.id);
      v3List.push({
        id: `v3,${pairKey(a.address, b.address)},${state.feePpm}`,
        feeTier: String(state.feePpm),
        liquidity: String(state.liquidity),
        token0: { id: made.token0.address.toLowerCase() },
        token1: { id: made.token1.address.toLowerCase() },
        tvlETH: universe.worth.get(pool.id) ?? 0,
        tvlUSD: universe.worth.get(pool.id) ?? 0,
      });
    }
  }
  for (const [key, { pair, worth, id }] of pairs) {
    poolIds.set(pair, id);
    v2List.push({
      id: `v2,${key}`,
      token0: { id: pair.token0.address.toLowerCase() },
      token1: { id: pair.token1.address.toLowerCase() },
      supply: worth,
      reserve: worth,
      reserveUSD: worth,
    });
  }
  /** Its gas model insists on a V3 pool of the native token and USDC; the gas models below never look at it. */
  const gasPool = new Pool(USDC_MAINNET, WETH9[CHAIN], 500, encodeSqrtRatioX96(1, 1), 1, 0, []);

  const sorted = (a, b) => (a.sortsBefore(b) ? [a, b] : [b, a]);
  const v2PoolProvider = {
    async getPools(tokenPairs) {
      const found = [...new Set(tokenPairs.map(([a, b]) => pairs.get(pairKey(a.address, b.address))?.pair))].filter(
        (pair) => pair !== undefined,
      );
      return {
        getPool: (a, b) => pairs.get(pairKey(a.address, b.address))?.pair,
        getPoolByAddress: (id) => pairs.get(id.slice(3))?.pair,
        getAllPools: () => found,
      };
    },
    getPoolAddress(a, b) {
      const [token0, token1] = sorted(a, b);
      return { poolAddress: `v2,${pairKey(a.address, b.address)}`, token0, token1 };
    },
  };
  const v3PoolProvider = {
    async getPools(wanted) {
      const at = (a, b, fee) => v3Pools.get(`${pairKey(a.address, b.address)},${fee}`);
      const found = [...new Set(wanted.map(([a, b, fee]) => at(a, b, fee)))].filter((pool) => pool !== undefined);
      return {
        getPool: (a, b, fee) =>
          at(a, b, fee) ??
          (pairKey(a.address, b.address) === pairKey(USDC_MAINNET.address, WETH9[CHAIN].address) ? gasPool : undefined),
        getPoolByAddress: (id) => v3Pools.get(id.slice(3)),
        getAllPools: () => found,
      };
    },
    getPoolAddress(a, b, fee) {
      const [token0, token1] = sorted(a, b);
      return { poolAddress: `v3,${pairKey(a.address, b.address)},${fee}`, token0, token1 };
    },
  };
  const quoteAlong = async (route, amount) => {
    const after = [];
    const crossed = [];
    let current = amount.wrapped;
    for (const pool of route.pools) {
      const [out, next] = await pool.getOutputAmount(current);
      if (out.quotient.toString() === "0") return undefined;
      const [low, high] = [pool.tickCurrent, next.tickCurrent].sort((a, b) => a - b);
      after.push(BigNumber.from(next.sqrtRatioX96.toString()));
      crossed.push(pool.tickDataProvider.ticks.filter(({ index }) => index > low && index <= high).length);
      current = out;
    }
    return { quote: BigNumber.from(current.quotient.toString()), after, crossed };
  };
  const onChainQuoteProvider = {
    async getQuotesManyExactIn(amounts, routes) {
      const routesWithQuotes = [];
      for (const route of routes) {
        const quotes = [];
        for (const amount of amounts) {
          const got = await quoteAlong(route, amount).catch(() => undefined);
          quotes.push({
            amount,
            quote: got?.quote ?? null,
            sqrtPriceX96AfterList: got?.after ?? null,
            initializedTicksCrossedList: got?.crossed ?? null,
            gasEstimate: got === undefined ? null : BigNumber.from(0),
            gasLimit: BigNumber.from(0),
          });
        }
        routesWithQuotes.push([route, quotes]);
      }
      return { routesWithQuotes, blockNumber: BigNumber.from(1) };
    },
  };

  let request;
  const gasModel = (gasOf) => ({
    buildGasModel: async ({ token, quoteToken }) => {
      const paid = token ?? quoteToken;
      return {
        estimateGasCost: (route) => {
          const gas = gasOf(route);
          const wei = gas * request.gasPrice;
          const value = universe.values.get(names.from(paid.address)) ?? 0;
          const cost = value > 0 ? BigInt(Math.round(Number(wei) / value)) : 0n;
          return {
            gasEstimate: BigNumber.from(gas),
            gasCostInToken: CurrencyAmount.fromRawAmount(paid, cost.toString()),
            gasCostInUSD: CurrencyAmount.fromRawAmount(USDC_MAINNET, 0),
          };
        },
      };
    },
  });
  const v3Gas = (route) =>
    V3_BASE_GAS +
    V3_HOP_GAS * BigInt(route.route.pools.length) +
    V3_TICK_GAS * BigInt((route.initializedTicksCrossedList ?? []).reduce((sum, n) => sum + n, 0));
  const router = new AlphaRouter({
    chainId: CHAIN,
    provider: { getBlockNumber: async () => 1 },
    multicall2Provider: {},
    v2SubgraphProvider: { getPools: async () => v2List.slice() },
    v3SubgraphProvider: { getPools: async () => v3List.slice() },
    v4SubgraphProvider: { getPools: async () => [] },
    v2PoolProvider,
    v3PoolProvider,
    v4PoolProvider: {
      getPools: async () => ({ getPool: () => undefined, getPoolById: () => undefined, getAllPools: () => [] }),
    },
    v2QuoteProvider: new V2QuoteProvider(),
    onChainQuoteProvider,
    v2GasModelFactory: gasModel((route) => V2_BASE_GAS + V2_HOP_GAS * BigInt(route.route.pairs.length - 1)),
    v3GasModelFactory: gasModel(v3Gas),
    v4GasModelFactory: gasModel(() => 0n),
    mixedRouteGasModelFactory: gasModel(v3Gas),
    gasPriceProvider: { getGasPrice: async () => ({ gasPriceWei: BigNumber.from(request.gasPrice) }) },
    tokenProvider: {
      getTokens: async (addresses) => ({
        getTokenByAddress: (address) => tokenOf(names.from(address)),
        getTokenBySymbol: () => undefined,
        getAllTokens: () => addresses.map((address) => tokenOf(names.from(address))),
      }),
    },
    blockedTokenListProvider: {
      hasTokenBySymbol: async () => false,
      hasTokenByAddress: async () => false,
      getTokenByAddress: async () => undefined,
    },
    tokenValidatorProvider: { validateTokens: async () => ({ getValidationByToken: () => undefined }) },
    tokenPropertiesProvider: { getTokensProperties: async () => ({}) },
  });
  const protocols = [...(v2List.length > 0 ? [Protocol.V2] : []), ...(v3List.length > 0 ? [Protocol.V3] : [])];

  return async (asked) => {
    request = asked;
    const amount = CurrencyAmount.fromRawAmount(tokenOf(asked.sellToken), asked.sellAmount.toString());
    const { result, error, spent } = await timed(() =>
      router.route(amount, tokenOf(asked.buyToken), TradeType.EXACT_INPUT, undefined, {
        protocols,
        useCachedRoutes: false,
      }),
    );
    if (error !== undefined) throw error;
    if (result === null) return { plan: undefined, spent };
    const plan = result.route.map(({ amount: part, route }) => {
      const pools = route.pairs ?? route.pools;
      const path = (route.path ?? route.tokenPath).map((token) => names.from(token.address));
      return {
        sellAmount: BigInt(part.quotient.toString()),
        hops: pools.map((pool, i) => ({ pool: idOf(pool), sellToken: path[i], buyToken: path[i + 1] })),
      };
    });
    // What percentages leave over goes to the last path, as the router's own trade does it.
    const sold = plan.reduce((sum, path) => sum + path.sellAmount, 0n);
    plan.at(-1).sellAmount += asked.sellAmount - sold;
    return { plan, spent };
  };

  function idOf(pool) {
    const key = pairKey(pool.token0.address, pool.token1.address);
    return pool.fee === undefined ? pairs.get(key).id : poolIds.get(v3Pools.get(`${key},${pool.fee}`));
  }
});
