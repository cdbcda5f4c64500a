import { encodeAbiParameters, encodeFunctionData, erc20Abi, type Hex, maxUint256 } from "viem";
import { expect } from "vitest";
import type { Address } from "../../../../src/domain/address.ts";
import type { BlockRef } from "../../../../src/domain/block.ts";
import type { ChainReader } from "../../../../src/market/chain-reader.ts";
import type { LiquiditySource, PoolRef } from "../../../../src/market/liquidity-source.ts";
import { mathOf, type Pool } from "../../../../src/pools/pool.ts";
import { type Direction, isRejection } from "../../../../src/pools/pool-math.ts";
import type { Anvil } from "../anvil.ts";
import { type BalancerPool, type BalancerWorld, balancerCall, queried, swapData } from "../balancer.ts";
import { compiled } from "../compiled.ts";
import type { Random } from "./random.ts";

const ONE = 10n ** 18n;

/** A pool of a vault, and how it is left. */
export interface VaultPool extends BalancerPool {
  readonly stable: boolean;
  /** The kind of an exit with all tokens for exact shares, as its user data begin. */
  readonly exitKind: bigint;
}

/** A Balancer V2 vault on anvil with pools that have liquidity, and the source that reads them. */
export interface VaultMarket {
  readonly anvil: Anvil;
  readonly world: BalancerWorld;
  readonly source: LiquiditySource;
  readonly pools: readonly VaultPool[];
  /** Decimals of every token but pools' own shares. */
  readonly decimals: ReadonlyMap<Address, number>;
  readonly providers: readonly Address[];
}

/** References of the pools, as the source names them. */
export function refsOf({ world, pools }: Pick<VaultMarket, "world" | "pools">): readonly PoolRef[] {
  return pools.map(({ poolId, tokens }) => ({ id: poolId, address: world.vault, tokens, terms: {} }));
}

/** Lets the vault draw these tokens of the account. */
export async function approveVault(anvil: Anvil, { vault }: BalancerWorld, tokens: readonly Address[]): Promise<void> {
  const approve = { abi: erc20Abi, functionName: "approve", args: [vault, maxUint256] } as const;
  for (const token of tokens) await anvil.send(token, encodeFunctionData(approve));
}

function anyDirection(tokens: number, random: Random): Direction {
  const sell = random.int(0, tokens - 1);
  return { sell, buy: (sell + random.int(1, tokens - 1)) % tokens };
}

/** Sets some provider's rate. */
export async function setAnyRate({ anvil, providers }: VaultMarket, random: Random): Promise<void> {
  const rate = random.between((ONE * 9n) / 10n, (ONE * 12n) / 10n);
  const { abi } = compiled("DevnetRateProvider");
  await anvil.send(random.pick(providers), encodeFunctionData({ abi, functionName: "setRate", args: [rate] }));
}

/** Sells up to 20,000 of some token of a pool for another one. */
export async function swapAny({ anvil, world, decimals }: VaultMarket, pool: VaultPool, random: Random): Promise<void> {
  const { poolId, tokens } = pool;
  const { sell, buy } = anyDirection(tokens.length, random);
  const [sellToken, buyToken] = [tokens[sell] as Address, tokens[buy] as Address];
  const amount = BigInt(random.int(1, 20_000)) * 10n ** BigInt(decimals.get(sellToken) ?? 18);
  await anvil.send(world.vault, swapData(anvil.account, { poolId, exactIn: true, sellToken, buyToken, amount }));
}

/** Joins a pool with exact tokens, or leaves it with all tokens for exact shares. */
export async function joinOrExit(
  { anvil, world, decimals }: VaultMarket,
  { poolId, tokens, address, exitKind }: VaultPool,
  random: Random,
  joins: boolean,
): Promise<void> {
  const listed = tokens.filter((token) => token !== address);
  const amounts = listed.map((token) => BigInt(random.int(1, 5_000)) * 10n ** BigInt(decimals.get(token) as number));
  const lists = [{ type: "uint256" }, { type: "uint256[]" }, { type: "uint256" }] as const;
  const userData: Hex = joins
    ? encodeAbiParameters(lists, [1n, amounts, 0n])
    : encodeAbiParameters([lists[0], lists[2]], [exitKind, 10n ** 21n]);
  const limits = tokens.map(() => (joins ? maxUint256 : 0n));
  const request = { assets: tokens, [joins ? "maxAmountsIn" : "minAmountsOut"]: limits, userData };
  const flag = joins ? { fromInternalBalance: false } : { toInternalBalance: false };
  const args = [poolId, anvil.account, anvil.account, { ...request, ...flag }];
  await anvil.send(world.vault, balancerCall("BalancerVault", joins ? "joinPool" : "exitPool", args));
}

/** A trade that was the same in the vault as it was quoted. */
interface ComparedTrade {
  readonly poolId: Pool["id"];
  readonly exactIn: boolean;
  readonly sellToken: Address;
  readonly buyToken: Address;
}

/**
 * Swaps in the vault so many times, less those that are refused by the quote, up to a fiftieth of what a pool takes and at
 * later times: each moves what was quoted and leaves the state that was said. No call of a refresh before may revert.
 */
export async function compareSwaps(
  market: VaultMarket,
  random: Random,
  count: number,
): Promise<{ readonly trades: readonly ComparedTrade[]; readonly refused: number }> {
  const { anvil, world, source } = market;
  const refs = refsOf(market);
  let at: BlockRef = await anvil.mine();
  let synced = await source.sync(anvil.reader, refs, at);
  expect(synced.length).toBe(refs.length);
  expect(await source.refresh?.(withoutReverts(anvil.reader), synced, at)).toEqual(synced);
  const trades: ComparedTrade[] = [];
  for (let attempt = 0; attempt < count; attempt++) {
    const pool = random.pick(synced);
    const { direction, exactIn, ...tokens } = anyTrade(pool, random);
    const time = at.timestamp + BigInt(random.pick([1, 1, 61, 4_000]));
    const most = mostOf(pool, direction, exactIn, time);
    const amount = most < 1_000n ? most : random.between(most / 10n ** 6n + 1n, most / 50n + 2n);
    const quote = mathOf(pool)[exactIn ? "quoteExactIn" : "quoteExactOut"](pool.state, direction, amount, time);
    if (isRejection(quote)) continue;
    await anvil.rpc("evm_setNextBlockTimestamp", [Number(time)]);
    const trade = { poolId: pool.id as Hex, exactIn, ...tokens };
    await anvil.send(world.vault, swapData(anvil.account, { ...trade, amount }));
    at = await anvil.mine();
    const log = (await anvil.logsOf(at)).find(
      ({ address, topics }) => address === world.vault && topics[1] === pool.id,
    );
    const moved = [0, 1].map((word) => BigInt(`0x${log?.data.slice(2 + 64 * word, 66 + 64 * word)}`));
    expect(moved).toEqual(exactIn ? [amount, quote.amount] : [quote.amount, amount]);
    synced = await source.sync(anvil.reader, refs, at);
    expect(synced.find(({ id }) => id === pool.id)?.state).toEqual(quote.next);
    trades.push(trade);
  }
  return { trades, refused: count - trades.length };
}

/**
 * Asks the vault so many times what it would pay or take for an amount, which is what is quoted; for what is refused it pays
 * nothing. Answers how often there was a quote. `wholeLimit`: how often the amount is all that the pool takes.
 */
export async function compareQueries(
  market: VaultMarket,
  random: Random,
  { count, wholeLimit }: { readonly count: number; readonly wholeLimit: number },
): Promise<number> {
  const { anvil, world, source } = market;
  const at = await anvil.mine();
  const synced = await source.sync(anvil.reader, refsOf(market), at);
  let compared = 0;
  for (let attempt = 0; attempt < count; attempt++) {
    const pool = random.pick(synced);
    const { direction, exactIn, ...tokens } = anyTrade(pool, random);
    const most = mostOf(pool, direction, exactIn, at.timestamp);
    const isWhole = wholeLimit > 0 && random.chance(wholeLimit);
    const amount = isWhole ? most : random.between(1n, most);
    const quote = mathOf(pool)[exactIn ? "quoteExactIn" : "quoteExactOut"](pool.state, direction, amount, at.timestamp);
    const paid = await queried(anvil, world, { poolId: pool.id as Hex, exactIn, ...tokens, amount });
    if (isRejection(quote)) {
      expect(quote.rejected).toBe("TOO_SMALL");
      expect(paid ?? 0n).toBe(0n);
      continue;
    }
    expect(paid).toBe(quote.amount);
    compared++;
  }
  return compared;
}

function anyTrade({ tokens }: Pool, random: Random) {
  const direction = anyDirection(tokens.length, random);
  const [sellToken, buyToken] = [tokens[direction.sell] as Address, tokens[direction.buy] as Address];
  return { direction, exactIn: random.chance(0.5), sellToken, buyToken };
}

function mostOf(pool: Pool, direction: Direction, exactIn: boolean, time: bigint): bigint {
  const { maxSell, maxBuy } = mathOf(pool).limits(pool.state, direction, time);
  return exactIn ? maxSell : maxBuy;
}

/** A call that reverts is made again alone, and a refresh is made for every block: none of its calls may. */
function withoutReverts(reader: ChainReader): ChainReader {
  return {
    ...reader,
    async calls(calls, block) {
      const answers = await reader.calls(calls, block);
      expect(answers).not.toContain(undefined);
      return answers;
    },
  };
}
