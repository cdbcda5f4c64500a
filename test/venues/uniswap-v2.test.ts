import { encodeFunctionData } from "viem";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Address } from "../../src/domain/address.ts";
import { uniswapV2 } from "../../src/venues/uniswap-v2/source.ts";
import { sourceContract } from "../market/liquidity-source.suite.ts";
import { type Anvil, startAnvil } from "./worlds/anvil.ts";
import { createRandom } from "./worlds/traffic/random.ts";
import { callRouter, deployV2, pairAbi, transfer, type V2World } from "./worlds/v2.ts";
import { deployTokens } from "./worlds/v3.ts";

const BLOCKS = process.env.TRIBUTARY_LONG === "1" ? 1_000 : 30;

vi.setConfig({ testTimeout: process.env.TRIBUTARY_LONG === "1" ? 3_600_000 : 180_000 });

let anvil: Anvil;
let world: V2World;

beforeAll(async () => {
  anvil = await startAnvil();
  world = await deployV2(anvil, "uniswap");
});
afterAll(() => anvil?.stop());

test("following Sync logs leads to the reserves that the pairs hold", async () => {
  const random = createRandom(41);
  const tokens: (readonly [Address, Address])[] = [];
  const pairs: Address[] = [];
  for (let count = 0; count < 3; count++) {
    const both = await deployTokens(anvil, [world.router]);
    tokens.push(both);
    const pair = await world.createPair(both);
    pairs.push(pair);
    await anvil.send(
      pair,
      encodeFunctionData({ abi: pairAbi, functionName: "approve", args: [world.router, (1n << 256n) - 1n] }),
    );
  }
  const start = await anvil.mine();

  const act = async () => {
    for (let count = random.int(0, 3); count > 0; count--) {
      const index = random.int(0, 2);
      const [token0, token1] = tokens[index] as readonly [Address, Address];
      const pair = pairs[index] as Address;
      const path = random.chance(0.5) ? [token0, token1] : [token1, token0];
      const kind = random.int(0, 4);
      if (kind === 0) await callRouter(anvil, world.router, "addLiquidity", [...path, 1n << 70n, 1n << 70n, 0n, 0n]);
      if (kind === 1) await callRouter(anvil, world.router, "removeLiquidity", [...path, random.ofBits(60), 0n, 0n]);
      if (kind === 2) {
        await transfer(anvil, token0, pair, random.ofBits(60));
        await anvil.send(pair, encodeFunctionData({ abi: pairAbi, functionName: "sync" }));
      }
      if (kind > 2) await callRouter(anvil, world.router, "swapExactTokensForTokens", [random.ofBits(70), 0n, path]);
    }
    return anvil.mine();
  };
  const venue = { source: "Uniswap_V2", factory: world.factory, feeNum: 3n, feeDen: 1000n, fromBlock: 0n } as const;
  const source = uniswapV2({ protocol: "uniswap-v2", ...venue });
  const { refs, applied } = await sourceContract({
    ...{ source, reader: anvil.reader, start, blocks: BLOCKS, act },
    logsOf: anvil.logsOf,
  });
  expect(refs.map(({ id }) => id).sort()).toEqual([...pairs].sort());
  expect([...applied.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThan(BLOCKS / 2);
});

test("a fee that settlement cannot express is refused when the source is made", () => {
  const venue = { protocol: "uniswap-v2", source: "Odd", factory: `0x${"1".repeat(40)}` as Address } as const;
  expect(() => uniswapV2({ ...venue, feeNum: 1n, feeDen: 3n, fromBlock: 0n })).toThrow(RangeError);
  expect(() => uniswapV2({ ...venue, feeNum: 5n, feeDen: 5n, fromBlock: 0n })).toThrow(RangeError);
});

test("a pair is traded as a pair with its fee in parts per million", () => {
  const factory = `0x${"1".repeat(40)}` as Address;
  const pair = `0x${"2".repeat(40)}` as Address;
  const source = uniswapV2({
    ...{ protocol: "uniswap-v2", source: "Pancake", factory, feeNum: 25n, feeDen: 10_000n, fromBlock: 0n },
  });
  const state = { reserves: [1n, 1n], feeNum: 25n, feeDen: 10_000n } as const;
  const pool = { id: pair, source: "Pancake", tokens: [], curve: "constant-product", state } as const;
  const fill = {
    poolId: pair,
    source: "Pancake",
    sellToken: factory,
    buyToken: factory,
    sellAmount: 1n,
    buyAmount: 1n,
  };
  expect(source.action(pool, { ...fill, gas: 0n, share: 1n })).toEqual({ action: "v2-pair", pair, feePpm: 2500 });
  expect(source.fillData(pool)).toEqual({ poolAddress: pair, factory, feePpm: "2500" });
});
