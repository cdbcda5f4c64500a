import { erc20Abi, type Hex, hexToBigInt, maxUint256, parseEther } from "viem";
import type { Address } from "../../domain/address.ts";
import { bundled } from "../contracts/bundle.ts";
import type { JsonRpc } from "../node/json-rpc.ts";
import { assertMined, callWith, submit, type Transaction } from "../node/node-transactions.ts";
import type { DevnetLayout } from "../plan/layout.ts";
import { unitsWorth } from "../plan/liquidity.ts";
import { type PlannedPool, plannedPools } from "../plan/planned-pools.ts";
import { createRandom } from "../plan/random.ts";
import { liquidityChanges } from "./liquidity-changes.ts";
import { swaps } from "./swaps.ts";

/** Somebody who trades on the devnet. */
export interface Trader {
  /** Puts a few random swaps, and now and then a change of liquidity, into the node's pool for the next block. */
  trade(): Promise<void>;
}

const SEED = 31_337;
const WEALTH_USD = 20_000_000n;
const WRAPPED = parseEther("10000");
const SWAPS_PER_BLOCK = 4;
/** One block in so many changes the liquidity of a pool. */
const BLOCKS_PER_LIQUIDITY_CHANGE = 3;
/** A small limit leaves room in the block for others. */
const GAS_LIMIT = 1_500_000n;

/** Gives the trader tokens from the whale and lets the routers take them; mines one block. */
export async function fundTrader(rpc: JsonRpc, layout: DevnetLayout, whale: Address, trader: Address): Promise<void> {
  const token = callWith(erc20Abi);
  const [weth, ...others] = layout.tokens;
  const { uniswapV2Router, swapRouter, positionManager } = layout.contracts;
  const gifts: Transaction[] = [];
  for (const gift of others) {
    const { data } = token("balanceOf", gift.address, [whale]);
    // A pool's share exists only in the amount that was minted on joining.
    const half = hexToBigInt(await rpc.call<Hex>("eth_call", [{ to: gift.address, data }, "latest"])) / 2n;
    const worth = unitsWorth(gift, WEALTH_USD);
    gifts.push(token("transfer", gift.address, [trader, worth < half ? worth : half]));
  }
  const preparations: readonly Transaction[] = [
    { ...callWith(bundled("WETH9").abi)("deposit", weth!.address, []), value: WRAPPED },
    ...[uniswapV2Router, swapRouter, positionManager].flatMap((spender) =>
      layout.tokens.map(({ address }) => token("approve", address, [spender, maxUint256])),
    ),
  ];
  const hashes = [
    ...(await submit(rpc, whale, await nextNonce(rpc, whale), gifts)),
    ...(await submit(rpc, trader, await nextNonce(rpc, trader), preparations)),
  ];
  await rpc.call("evm_mine");
  await assertMined(rpc, [...gifts, ...preparations], hashes);
}

/** A trader whose choices are the same at every start. Over time it sells back what it bought, so that prices stay. */
export function createTrader(rpc: JsonRpc, layout: DevnetLayout, trader: Address): Trader {
  const trading = { rpc, layout, trader };
  const random = createRandom(SEED);
  const pools = plannedPools(layout);
  /** By pool: how far it was moved, as the sum of the parts of its depth that were sold, token0 counted positive. */
  const moved = new Map<PlannedPool, number>();

  const nextSwaps = async (): Promise<readonly Transaction[]> => {
    const chosen = new Set(Array.from({ length: SWAPS_PER_BLOCK }, () => random.pick(pools)));
    const transactions: Transaction[] = [];
    for (const pool of chosen) {
      const sofar = moved.get(pool) ?? 0;
      const sellsToken0 = random.below(4) === 0 ? sofar >= 0 : sofar < 0 || (sofar === 0 && random.below(2) === 0);
      const bps = 2 + random.below(99);
      moved.set(pool, sofar + (sellsToken0 ? bps : -bps));
      transactions.push(...(await swaps(trading, pool, { sellsToken0, bps })));
    }
    return transactions;
  };

  return {
    trade: async () => {
      const transactions = [
        ...(await nextSwaps()),
        ...(random.below(BLOCKS_PER_LIQUIDITY_CHANGE) === 0
          ? await liquidityChanges(trading, random.pick(pools), random)
          : []),
      ];
      const limited = transactions.map((transaction) => ({ ...transaction, gas: GAS_LIMIT }));
      await submit(rpc, trader, await nextNonce(rpc, trader), limited);
    },
  };
}

async function nextNonce(rpc: JsonRpc, account: Address): Promise<number> {
  return Number(await rpc.call<Hex>("eth_getTransactionCount", [account, "pending"]));
}
