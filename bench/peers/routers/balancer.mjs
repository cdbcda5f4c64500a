/**
 * Balancer's SOR, offline. A constant-product pool is given to it as a weighted pool of equal weights and the same fee,
 * which is the same curve; its own rule that a swap sells at most 0.3 of a reserve stays.
 */
import { createRequire } from "node:module";
import { mathOf } from "../../../src/pools/pool.ts";
import { serve, timed } from "./serve.ts";

const require = createRequire(import.meta.url);
const { BigNumber } = require("@ethersproject/bignumber");
const { PoolFilter, SOR, SwapTypes } = require("@balancer-labs/sor");

const ZERO_ADDRESS = "0x0000000000000000000000000000000000000000";
const MAX_POOLS = Number(process.argv[2]);
const RATE_ONE = 10n ** 18n;

function decimalOf(amount, decimals) {
  const digits = amount.toString().padStart(decimals + 1, "0");
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** What the SOR has to know of a pool's curve, besides its tokens and what it holds of them. */
function curveOf({ curve, state, tokens }) {
  const even = { rates: tokens.map(() => RATE_ONE), weights: tokens.map(() => null), shares: "100" };
  if (curve === "constant-product") {
    const swapFee = String(Number(state.feeNum) / Number(state.feeDen));
    return { ...even, poolType: "Weighted", swapFee, balances: state.reserves, weights: tokens.map(() => "0.5") };
  }
  const { balances, share } = state;
  const swapFee = decimalOf(state.swapFee, 18);
  if (curve === "weighted") {
    const weights = state.weights.map((weight) => decimalOf(weight, 18));
    return { ...even, poolType: "Weighted", swapFee, balances, weights };
  }
  const amp = String(Number(state.initialA) / 1000);
  const shares = decimalOf(state.totalSupply - (balances[share] ?? 0n), 18);
  const poolType = share < tokens.length ? "StablePhantom" : "MetaStable";
  return { ...even, poolType, swapFee, balances, amp, rates: state.rates, shares };
}

serve(async (universe) => {
  const decimalsOf = (token) => universe.decimals.get(token) ?? 18;
  const pools = universe.pools.map((pool) => {
    const { balances, rates, weights, shares, ...curve } = curveOf(pool);
    return {
      ...curve,
      id: pool.id,
      // An address is the first 20 bytes of a pool's id.
      address: pool.id.slice(0, 42),
      swapEnabled: true,
      totalShares: shares,
      totalWeight: String(weights.reduce((sum, weight) => sum + Number(weight ?? 0), 0)),
      tokensList: pool.tokens,
      tokens: pool.tokens.map((address, i) => ({
        address,
        balance: decimalOf(balances[i], decimalsOf(address)),
        decimals: decimalsOf(address),
        priceRate: decimalOf(rates[i], 18),
        weight: weights[i],
      })),
    };
  });
  const gases = universe.pools
    .map((pool) => mathOf(pool).curve(pool.state, { sell: 0, buy: 1 }, universe.time)?.gas ?? 0)
    .sort((a, b) => a - b);
  const swapGas = gases[gases.length >> 1];
  const sor = new SOR(
    {},
    { chainId: 1, vault: ZERO_ADDRESS, weth: universe.hubs.native, connectingTokens: [] },
    { getPools: async () => pools },
    {
      getNativeAssetPriceInToken: async (token) => {
        const value = universe.values.get(token) ?? 0;
        return value > 0 ? (10 ** (18 - decimalsOf(token)) / value).toFixed(18) : "0";
      },
    },
  );
  await sor.fetchPools();

  return async ({ sellToken, buyToken, sellAmount, gasPrice }) => {
    const { result, error, spent } = await timed(() =>
      sor.getSwaps(sellToken, buyToken, SwapTypes.SwapExactIn, BigNumber.from(sellAmount), {
        gasPrice: BigNumber.from(gasPrice),
        swapGas: BigNumber.from(swapGas),
        maxPools: MAX_POOLS,
        timestamp: Number(universe.time),
        poolTypeFilter: PoolFilter.All,
        forceRefresh: false,
      }),
    );
    if (error !== undefined) throw error;
    if (result.swaps.length === 0) return { plan: undefined, spent };
    const address = (index) => result.tokenAddresses[index].toLowerCase();
    const plan = [];
    for (const swap of result.swaps) {
      const hop = {
        pool: swap.poolId,
        sellToken: address(swap.assetInIndex),
        buyToken: address(swap.assetOutIndex),
      };
      if (BigInt(swap.amount) === 0n) plan.at(-1).hops.push(hop);
      else plan.push({ sellAmount: BigInt(swap.amount), hops: [hop] });
    }
    return { plan, spent };
  };
});
