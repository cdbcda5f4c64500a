import { afterAll, beforeAll, expect, it } from "vitest";
import { NATIVE_TOKEN } from "../../../src/domain/address.ts";
import { FRACTION_ONE, type SwapRequest } from "../../../src/quoting/answer/types.ts";
import { type SwapWorld, startSwapWorld, testAccount } from "../../support/worlds/swap-world.ts";

/** UniswapV2Pair's `unlocked`: at 0 the pair refuses every swap, and its reserves are what they were. */
const UNLOCKED_SLOT = "0xc";
const TRIALS = 3;

let world: SwapWorld;

beforeAll(async () => {
  world = await startSwapWorld();
});
afterAll(() => world?.stop());

function sale(source: string): SwapRequest {
  const token = (symbol: string) => world.devnet.tokens.find((listed) => listed.symbol === symbol)!;
  return {
    sellToken: token("USDH"),
    buyToken: { ...token("WETH"), address: NATIVE_TOKEN, symbol: "ETH" },
    amount: { kind: "exactIn", sellAmount: 1_000_000_000n },
    slippage: FRACTION_ONE / 100n,
    taker: testAccount(9),
    sources: { kind: "only", ids: [source] },
    skipValidation: false,
  };
}

/** Mines blocks until `holds`, at most a few more than it should take. */
async function mineUntil(holds: () => boolean): Promise<number> {
  for (let blocks = 0; blocks < 3 * TRIALS; blocks++) {
    if (holds()) return blocks;
    await world.devnet.mine();
    await world.follow();
    // A trial runs beside the following: its simulations are given the time they take.
    await world.quote(sale("Uniswap_V3"));
  }
  throw new Error("it has not come about");
}

it("puts a pool aside that refuses everybody, although its state is right, and takes it back when it works", async () => {
  const asked = await world.quote(sale("Uniswap_V2"));
  const pair = asked.route.fills.find((fill) => fill.source === "Uniswap_V2")!.pool;
  const others = asked.route.fills.map((fill) => fill.pool).filter((pool) => pool !== pair);
  await world.devnet.rpc("anvil_setStorageAt", [pair, UNLOCKED_SLOT, `0x${"0".repeat(64)}`]);
  await world.devnet.mine();
  await world.follow();
  const replaced = await world.quote(sale("Uniswap_V2")).catch(() => undefined);
  expect(replaced?.route.fills.map((fill) => fill.pool) ?? []).not.toContain(pair);
  expect(world.chain.status().quarantined.size).toBe(0);

  const blocks = await mineUntil(() => world.chain.status().quarantined.has(pair));
  expect(blocks).toBeGreaterThanOrEqual(TRIALS - 1);
  expect(world.chain.status().quarantined.get(pair)).toMatch(/its swaps fail: .*busy/);
  for (const other of others) expect(world.chain.status().quarantined.has(other)).toBe(false);

  await world.devnet.rpc("anvil_setStorageAt", [pair, UNLOCKED_SLOT, `0x${"1".padStart(64, "0")}`]);
  world.chain.release(pair);
  await mineUntil(() => world.chain.status().quarantined.size === 0);
  const again = await world.quote(sale("Uniswap_V2"));
  expect(again.route.fills.map((fill) => fill.pool)).toContain(pair);
});

it("blames no pool for a taker that cannot be paid", async () => {
  // The factory has no way to take native tokens.
  const taker = world.devnet.contracts.uniswapV2Factory;
  for (let block = 0; block < 2 * TRIALS; block++) {
    await expect(world.quote({ ...sale("Uniswap_V2"), taker })).rejects.toThrow("the transaction would fail");
    await world.devnet.mine();
    await world.follow();
  }
  expect(world.chain.status().quarantined.size).toBe(0);
});
