/**
 * Balancer's SOR, offline. A constant-product pool is given to it as a weighted pool of equal weights and the same fee,
 * which is the same curve; its own rule that a swap sells at most 0.3 of a reserve stays.
 */
import { createRequire } from "node:module";
import { serve, timed } from "./serve.ts";

const require = createRequire(import.meta.url);
const { BigNumber } = require("@ethersproject/bignumber");
const { PoolFilter, SOR, SwapTypes } = require("@balancer-labs/sor");

const ZERO_ADDRESS = "0x0000000000000000000000000000000000000000";
const MOST_POOLS = 4;
const SWAP_GAS = 85_000;

function decimalOf(amount, decimals) {
  const digits = amount.toString().padStart(decimals + 1, "0");
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

serve(async (universe) => {
  const decimalsOf = (token) => universe.decimals.get(token) ?? 18;
  const pools = universe.pools.map((pool) => ({
    id: pool.id,
    address: pool.id,
    poolType: "Weighted",
    swapFee: String(Number(pool.state.feeNum) / Number(pool.state.feeDen)),
    swapEnabled: true,
    totalShares: "100",
    totalWeight: "1",
    tokensList: pool.tokens,
    tokens: pool.tokens.map((address, i) => ({
      address,
      balance: decimalOf(pool.state.reserves[i], decimalsOf(address)),
      decimals: decimalsOf(address),
      priceRate: "1",
      weight: "0.5",
    })),
  }));
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
        swapGas: BigNumber.from(SWAP_GAS),
        maxPools: MOST_POOLS,
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
