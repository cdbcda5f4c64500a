import { afterAll, beforeAll, expect, it } from "vitest";
import { PAST_BLOCKS } from "../../../src/market/past-blocks.ts";
import type { Snapshot } from "../../../src/market/snapshot.ts";
import { FRACTION_ONE, type PriceAnswer, type SwapRequest } from "../../../src/quoting/answer/types.ts";
import { outfit } from "../../promise/execute.ts";
import { DEVNET_TOKENS } from "../../promise/random/random-request.ts";
import { type SwapWorld, startSwapWorld, testAccount } from "../../support/worlds/swap-world.ts";

/** Prices at blocks before the newest, while trades change the pools and the chain leaves blocks. */
const TRADER = testAccount(1);

let world: SwapWorld;
beforeAll(async () => {
  world = await startSwapWorld();
  await outfit(world, [TRADER]);
  await world.follow();
}, 300_000);
afterAll(() => world?.stop());

const named = (symbol: string) => {
  const token = DEVNET_TOKENS.find((one) => one.symbol === symbol);
  if (token === undefined) throw new Error(`no ${symbol}`);
  return token;
};
const request = (sell: string, buy: string, sellAmount: bigint): SwapRequest => ({
  ...{ sellToken: named(sell), buyToken: named(buy), amount: { kind: "exactIn", sellAmount } },
  ...{ slippage: FRACTION_ONE / 2n, sources: { kind: "all" }, skipValidation: true },
});
const ASKED = [
  request("ETH", "USDH", 10n ** 18n),
  request("WETH", "USDR", 30n * 10n ** 18n),
  request("USDH", "WBT", 5n * 10n ** 9n),
];
const context = { requestId: "past", signal: new AbortController().signal };
const pricesAt = (at: Snapshot): Promise<readonly PriceAnswer[]> =>
  Promise.all(ASKED.map((one) => world.quoting.price({ ...one, at }, { ...context, at })));

/** Trades enough for every price to be another one, in the next block. */
async function trade(): Promise<void> {
  const answer = await world.quote({ ...request("ETH", "USDH", 200n * 10n ** 18n), taker: TRADER });
  const { to, data, value, gas } = answer;
  expect((await world.devnet.sendTransaction(TRADER, { to, data, value, gas })).succeeded).toBe(true);
}

it("are to the wei what they were when the block was the newest", { timeout: 300_000 }, async () => {
  const { past, market } = world.chain;
  const told: { readonly number: bigint; readonly answers: readonly PriceAnswer[] }[] = [];
  for (let block = 0; block < 5; block++) {
    const snapshot = await world.follow();
    // As a caller without a block has them: what is found is known to the blocks to come.
    told.push({ number: snapshot.block.number, answers: await Promise.all(ASKED.map((one) => world.price(one))) });
    await trade();
  }
  await world.follow();
  expect(new Set(told.map(({ answers }) => answers[0]?.buyAmount)).size).toBe(told.length);
  for (const { number, answers } of told) {
    const at = past.at(number);
    if (at === undefined) throw new Error(`block ${number} is not held`);
    expect(await pricesAt(at)).toEqual(answers);
  }
  const held = past.held();
  const [oldest, newest] = [held.at(0)?.oldest ?? 0n, held.at(-1)?.newest ?? 0n];
  expect(newest - oldest).toBeGreaterThanOrEqual(5n);
  expect(past.at(newest + 1n)).toBeUndefined();
  expect(past.at(oldest - 1n)).toBeUndefined();
  const now = market.current();
  expect("snapshot" in now && past.at(newest) === now.snapshot).toBe(true);
});

it("leave out a pool that was found at fault since", { timeout: 120_000 }, async () => {
  const snapshot = await world.follow();
  const [before] = await pricesAt(snapshot);
  const pool = before?.route.fills.find(({ source }) => source !== "Wrapped_Native")?.pool ?? "";
  world.chain.quarantine(pool, "for this test");
  try {
    const [after] = await pricesAt(snapshot);
    expect(after?.route.fills.map((fill) => fill.pool)).not.toContain(pool);
  } finally {
    world.chain.release(pool);
  }
});

it("are none of blocks that the chain has left", { timeout: 120_000 }, async () => {
  const first = await world.follow();
  const saved = await world.devnet.rpc("evm_snapshot", []);
  await trade();
  const left = await world.follow();
  expect(world.chain.past.at(left.block.number)).toBe(left);
  await world.devnet.rpc("evm_revert", [saved]);
  await world.devnet.sendTransaction(TRADER, { to: TRADER, data: "0x", value: 1n });
  const other = await world.follow();
  expect(other.block.number).toBe(left.block.number);
  expect(other.block.hash).not.toBe(left.block.hash);
  expect(world.chain.past.at(left.block.number)?.block.hash).toBe(other.block.hash);
  expect(world.chain.past.at(first.block.number)?.block.hash).toBe(first.block.hash);
});

it("are of so many blocks as are held, and no more", { timeout: 300_000 }, async () => {
  for (let block = 0; block < PAST_BLOCKS + 2; block++) {
    await world.devnet.mine();
    await world.follow();
  }
  const [{ oldest, newest } = { oldest: 0n, newest: 0n }] = world.chain.past.held();
  expect(newest - oldest).toBe(BigInt(PAST_BLOCKS - 1));
});
