import { decodeFunctionResult, erc20Abi, type Hex, maxUint128, maxUint256 } from "viem";
import type { Address } from "../../domain/address.ts";
import { bundled } from "../contracts/bundle.ts";
import { mintPosition } from "../markets/v3-position.ts";
import type { JsonRpc } from "../node/json-rpc.ts";
import { callWith, type Transaction } from "../node/node-transactions.ts";
import type { FeeTier } from "../plan/catalog.ts";
import type { DevnetLayout } from "../plan/layout.ts";
import { positionsAround, sqrtPriceX96, unitsWorth } from "../plan/liquidity.ts";
import type { PlannedPool } from "../plan/planned-pools.ts";
import type { Random } from "../plan/random.ts";
import type { Trading } from "./swaps.ts";

/** Transactions that give liquidity to the pool, or take back what the trader gave before to a pool of the venue. */
export async function liquidityChanges(
  trading: Trading,
  pool: PlannedPool,
  random: Random,
): Promise<readonly Transaction[]> {
  const { layout, trader } = trading;
  const takesBack = random.below(2) === 0;
  const percent = BigInt(1 + random.below(5));
  switch (pool.venue) {
    case "pancake-v2":
      return [];
    case "uniswap-v2":
      return takesBack ? await leavePair(trading, pool) : [joinPair(layout, trader, pool, percent)];
    default:
      return takesBack
        ? await burnOldestPosition(trading)
        : [mintPosition(layout, trader, { pool, fee: pool.venue }, { ...newShape(pool, pool.venue, random), percent })];
  }
}

function joinPair({ contracts }: DevnetLayout, trader: Address, pool: PlannedPool, percent: bigint): Transaction {
  const { token0, token1, sideUsd } = pool;
  const usd = (sideUsd * percent) / 100n;
  return callWith(bundled("UniswapV2Router02").abi)("addLiquidity", contracts.uniswapV2Router, [
    ...[token0.address, token1.address, unitsWorth(token0, usd), unitsWorth(token1, usd)],
    ...[0n, 0n, trader, maxUint256],
  ]);
}

async function leavePair(
  { rpc, layout, trader }: Trading,
  { token0, token1 }: PlannedPool,
): Promise<readonly Transaction[]> {
  const { uniswapV2Router } = layout.contracts;
  const pair = layout.pairAddress("uniswap-v2", token0.address, token1.address);
  const held = await readNumber(rpc, callWith(erc20Abi)("balanceOf", pair, [trader]));
  if (held === 0n) return [];
  return [
    callWith(erc20Abi)("approve", pair, [uniswapV2Router, held]),
    callWith(bundled("UniswapV2Router02").abi)("removeLiquidity", uniswapV2Router, [
      ...[token0.address, token1.address, held],
      ...[0n, 0n, trader, maxUint256],
    ]),
  ];
}

/** Ticks around the pool's price, of which one is picked. */
function newShape({ token0, token1, aside, offsetPpm }: PlannedPool, fee: FeeTier, random: Random) {
  return random.pick(positionsAround(sqrtPriceX96(token0, token1, offsetPpm), fee, aside));
}

async function burnOldestPosition({ rpc, layout, trader }: Trading): Promise<readonly Transaction[]> {
  const { positionManager } = layout.contracts;
  const { abi } = bundled("NonfungiblePositionManager");
  const manager = callWith(abi);
  if ((await readNumber(rpc, manager("balanceOf", positionManager, [trader]))) === 0n) return [];
  const tokenId = await readNumber(rpc, manager("tokenOfOwnerByIndex", positionManager, [trader, 0n]));
  const data = await read(rpc, manager("positions", positionManager, [tokenId]));
  const position = decodeFunctionResult({ abi, functionName: "positions", data }) as readonly unknown[];
  const calls = [
    manager("decreaseLiquidity", positionManager, [
      { tokenId, liquidity: position[7], amount0Min: 0n, amount1Min: 0n, deadline: maxUint256 },
    ]),
    manager("collect", positionManager, [
      { tokenId, recipient: trader, amount0Max: maxUint128, amount1Max: maxUint128 },
    ]),
    manager("burn", positionManager, [tokenId]),
  ];
  return [manager("multicall", positionManager, [calls.map((call) => call.data)])];
}

async function readNumber(rpc: JsonRpc, call: Transaction): Promise<bigint> {
  return BigInt(await read(rpc, call));
}

async function read(rpc: JsonRpc, { to, data }: Transaction): Promise<Hex> {
  return await rpc.call<Hex>("eth_call", [{ to, data }, "latest"]);
}
