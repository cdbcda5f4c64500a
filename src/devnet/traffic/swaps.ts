import type { Hex } from "viem";
import { decodeFunctionResult, erc20Abi, maxUint256 } from "viem";
import type { Address } from "../../domain/address.ts";
import { bundled } from "../contracts/bundle.ts";
import type { JsonRpc } from "../node/json-rpc.ts";
import { callWith, type Transaction } from "../node/node-transactions.ts";
import type { DevnetLayout } from "../plan/layout.ts";
import { unitsWorth } from "../plan/liquidity.ts";
import type { PlannedPool } from "../plan/planned-pools.ts";

/** Trader and devnet of the traffic. */
export interface Trading {
  readonly rpc: JsonRpc;
  readonly layout: DevnetLayout;
  readonly trader: Address;
}

/** The transactions of one swap that sells so many ten-thousandths of the pool's side, at any price. */
export async function swaps(
  { rpc, layout, trader }: Trading,
  pool: PlannedPool,
  { sellsToken0, bps }: { readonly sellsToken0: boolean; readonly bps: number },
): Promise<readonly Transaction[]> {
  const [sellToken, buyToken] = sellsToken0 ? [pool.token0, pool.token1] : [pool.token1, pool.token0];
  const sellAmount = (unitsWorth(sellToken, pool.sideUsd) * BigInt(bps)) / 10_000n;
  const { uniswapV2Router, swapRouter } = layout.contracts;
  if (pool.venue === "uniswap-v2") {
    const path = [sellToken.address, buyToken.address];
    const router = callWith(bundled("UniswapV2Router02").abi);
    return [router("swapExactTokensForTokens", uniswapV2Router, [sellAmount, 0n, path, trader, maxUint256])];
  }
  if (pool.venue === "pancake-v2") {
    const pair = layout.pairAddress("pancake-v2", sellToken.address, buyToken.address);
    const [reserve0, reserve1] = await reservesOf(rpc, pair);
    const [reserveIn, reserveOut] = sellsToken0 ? [reserve0, reserve1] : [reserve1, reserve0];
    const kept = sellAmount * 998n;
    const buyAmount = (kept * reserveOut) / (reserveIn * 1_000n + kept);
    const [out0, out1] = sellsToken0 ? [0n, buyAmount] : [buyAmount, 0n];
    return [
      callWith(erc20Abi)("transfer", sellToken.address, [pair, sellAmount]),
      callWith(bundled("PancakePair").abi)("swap", pair, [out0, out1, trader, "0x"]),
    ];
  }
  return [
    callWith(bundled("SwapRouter").abi)("exactInputSingle", swapRouter, [
      {
        tokenIn: sellToken.address,
        tokenOut: buyToken.address,
        fee: pool.venue,
        recipient: trader,
        deadline: maxUint256,
        amountIn: sellAmount,
        amountOutMinimum: 0n,
        sqrtPriceLimitX96: 0n,
      },
    ]),
  ];
}

async function reservesOf(rpc: JsonRpc, pair: Address): Promise<readonly [bigint, bigint]> {
  const { abi } = bundled("PancakePair");
  const call = callWith(abi)("getReserves", pair, []);
  const data = await rpc.call<Hex>("eth_call", [{ to: pair, data: call.data }, "latest"]);
  const [reserve0, reserve1] = decodeFunctionResult({ abi, functionName: "getReserves", data }) as [bigint, bigint];
  return [reserve0, reserve1];
}
