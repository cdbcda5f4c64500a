/**
 * Uniswap's AlphaRouter without a node. Pools come from the universe: V2 one pool per pair (the deepest: the router
 * knows a pair's pool by its tokens alone), V3 one per pair and fee tier. V3 and mixed quotes, which it asks a contract
 * for, come from the contract's integers (src/pools). It is told the gas that its plans are measured by, at the universe's rates.
 */
import { createRequire } from "node:module";
import { mathOf } from "../../../src/pools/pool.ts";
import { isRejection } from "../../../src/pools/pool-math.ts";
import { seenByUniswap } from "../meeting/contestants.ts";
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
const { Pool, encodeSqrtRatioX96 } = require("@uniswap/v3-sdk");

const CHAIN = 1;
const pairKey = (a, b) => [a.toLowerCase(), b.toLowerCase()].sort().join();

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
  const seen = seenByUniswap(universe);
  const known = new Map(universe.pools.map((pool) => [pool.id, pool]));
  const gasOfUse = (pool) => BigInt(mathOf(pool).curve(pool.state, { sell: 0, buy: 1 }, universe.time)?.gas ?? 0);

  const pairs = new Map();
  const v2List = [];
  const v3Pools = new Map();
  const v3List = [];
  for (const pool of universe.pools) {
    if (!seen.has(pool.id)) continue;
    const { id, state } = pool;
    const [a, b] = pool.tokens.map(tokenOf);
    const worth = universe.worth.get(id) ?? 0;
    const key = pairKey(a.address, b.address);
    if (pool.curve === "concentrated") {
      const { feePpm, sqrtPriceX96, liquidity, tick } = state;
      const made = new Pool(a, b, feePpm, String(sqrtPriceX96), String(liquidity), tick);
      v3Pools.set(`${key},${feePpm}`, { made, id });
      v3List.push({
        id: `v3,${key},${feePpm}`,
        feeTier: String(feePpm),
        liquidity: String(liquidity),
        token0: { id: made.token0.address.toLowerCase() },
        token1: { id: made.token1.address.toLowerCase() },
        tvlETH: worth,
        tvlUSD: worth,
      });
      continue;
    }
    const [x, y] = (state.reserves ?? state.balances).map(String);
    const pair = new Pair(CurrencyAmount.fromRawAmount(a, x), CurrencyAmount.fromRawAmount(b, y));
    pairs.set(key, { pair, id, gas: gasOfUse(pool) });
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
      const at = (a, b, fee) => v3Pools.get(`${pairKey(a.address, b.address)},${fee}`)?.made;
      const found = [...new Set(wanted.map(([a, b, fee]) => at(a, b, fee)))].filter((pool) => pool !== undefined);
      return {
        getPool: (a, b, fee) =>
          at(a, b, fee) ??
          (pairKey(a.address, b.address) === pairKey(USDC_MAINNET.address, WETH9[CHAIN].address) ? gasPool : undefined),
        getPoolByAddress: (id) => v3Pools.get(id.slice(3))?.made,
        getAllPools: () => found,
      };
    },
    getPoolAddress(a, b, fee) {
      const [token0, token1] = sorted(a, b);
      return { poolAddress: `v3,${pairKey(a.address, b.address)},${fee}`, token0, token1 };
    },
  };
  /** What a node's quoter would say: the contract's own integers, each pool use counted once for a request. */
  let quotes = new Map();
  const quoteOf = (id, sellToken, buyToken, amount) => {
    const key = `${id} ${sellToken} ${amount}`;
    if (!quotes.has(key)) {
      const pool = known.get(id);
      const direction = { sell: pool.tokens.indexOf(sellToken), buy: pool.tokens.indexOf(buyToken) };
      const quote = mathOf(pool).quoteExactIn(pool.state, direction, amount, universe.time);
      quotes.set(key, isRejection(quote) ? undefined : quote);
    }
    return quotes.get(key);
  };
  const quoteAlong = (route, sellAmount) => {
    const path = (route.tokenPath ?? route.path).map((token) => names.from(token.address));
    const after = [];
    let [amount, gas] = [BigInt(sellAmount.quotient.toString()), 0n];
    for (const [i, pool] of route.pools.entries()) {
      const quote = quoteOf(idOf(pool), path[i], path[i + 1], amount);
      if (quote === undefined) return undefined;
      after.push(BigNumber.from(quote.next.sqrtPriceX96 ?? 0));
      amount = quote.amount;
      gas += quote.gas;
    }
    return { quote: BigNumber.from(amount), after, gas: BigNumber.from(gas) };
  };
  const onChainQuoteProvider = {
    async getQuotesManyExactIn(amounts, routes) {
      const routesWithQuotes = routes.map((route) => {
        const quoted = amounts.map((amount) => {
          const got = quoteAlong(route, amount);
          return {
            amount,
            quote: got?.quote ?? null,
            sqrtPriceX96AfterList: got?.after ?? null,
            initializedTicksCrossedList: got?.after.map(() => 0) ?? null,
            gasEstimate: got?.gas ?? null,
            gasLimit: BigNumber.from(0),
          };
        });
        return [route, quoted];
      });
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
  const v2Gas = ({ route }) =>
    route.pairs.reduce((sum, { token0, token1 }) => sum + pairs.get(pairKey(token0.address, token1.address)).gas, 0n);
  const quotedGas = ({ quoterGasEstimate }) => BigInt(quoterGasEstimate);
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
    v2GasModelFactory: gasModel(v2Gas),
    v3GasModelFactory: gasModel(quotedGas),
    v4GasModelFactory: gasModel(() => 0n),
    mixedRouteGasModelFactory: gasModel(quotedGas),
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
  const protocols = v3List.length === 0 ? [Protocol.V2] : [Protocol.V2, Protocol.V3, Protocol.MIXED];

  return async (asked) => {
    request = asked;
    quotes = new Map();
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
    return pool.fee === undefined ? pairs.get(key).id : v3Pools.get(`${key},${pool.fee}`).id;
  }
});
