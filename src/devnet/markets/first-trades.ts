import { erc20Abi, maxUint256 } from "viem";
import type { Address } from "../../domain/address.ts";
import { bundled } from "../contracts/bundle.ts";
import { callWith, type Transaction } from "../node/node-transactions.ts";
import type { DevnetLayout } from "../plan/layout.ts";
import { unitsWorth } from "../plan/liquidity.ts";
import { type PlannedPool, plannedPools } from "../plan/planned-pools.ts";

/** Part of a pool's side that is sold, in parts of a million: too little to move its price. */
const SOLD_PPM = 100n;

/**
 * A small swap in each direction of every pool of the first venues. A pool's very first swaps write storage that was
 * never written before and cost up to half as much again: after these, swaps cost what they cost on a chain in use.
 */
export function firstTrades(layout: DevnetLayout, whale: Address): readonly Transaction[] {
  const token = callWith(erc20Abi);
  return [
    ...layout.tokens.map(({ address }) => token("approve", address, [layout.contracts.swapRouter, maxUint256])),
    ...plannedPools(layout).flatMap((pool) => [
      ...firstTrade(layout, whale, pool, true),
      ...firstTrade(layout, whale, pool, false),
    ]),
  ];
}

function firstTrade(
  layout: DevnetLayout,
  whale: Address,
  pool: PlannedPool,
  sellsToken0: boolean,
): readonly Transaction[] {
  const { uniswapV2Router, swapRouter } = layout.contracts;
  const [sellToken, buyToken] = sellsToken0 ? [pool.token0, pool.token1] : [pool.token1, pool.token0];
  const sellAmount = (unitsWorth(sellToken, pool.sideUsd) * SOLD_PPM) / 1_000_000n;
  if (pool.venue === "uniswap-v2") {
    const path = [sellToken.address, buyToken.address];
    const router = callWith(bundled("UniswapV2Router02").abi);
    return [router("swapExactTokensForTokens", uniswapV2Router, [sellAmount, 0n, path, whale, maxUint256])];
  }
  if (pool.venue === "pancake-v2") {
    const pair = layout.pairAddress("pancake-v2", sellToken.address, buyToken.address);
    // Nine tenths of the worth: the pair keeps the rest, and nobody has to be asked for its reserves.
    const buyAmount = (unitsWorth(buyToken, pool.sideUsd) * SOLD_PPM * 9n) / 10_000_000n;
    const [out0, out1] = sellsToken0 ? [0n, buyAmount] : [buyAmount, 0n];
    return [
      callWith(erc20Abi)("transfer", sellToken.address, [pair, sellAmount]),
      callWith(bundled("PancakePair").abi)("swap", pair, [out0, out1, whale, "0x"]),
    ];
  }
  const order = {
    tokenIn: sellToken.address,
    tokenOut: buyToken.address,
    fee: pool.venue,
    recipient: whale,
    deadline: maxUint256,
    amountIn: sellAmount,
    amountOutMinimum: 0n,
    sqrtPriceLimitX96: 0n,
  };
  return [callWith(bundled("SwapRouter").abi)("exactInputSingle", swapRouter, [order])];
}
