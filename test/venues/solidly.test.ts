import { encodeFunctionData, toFunctionSelector } from "viem";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Address, toAddress } from "../../src/domain/address.ts";
import type { ChainReader } from "../../src/market/chain-reader.ts";
import type { SolidlyState } from "../../src/pools/solidly/state.ts";
import { solidly } from "../../src/venues/solidly/source.ts";
import { sourceContract } from "../market/liquidity-source.suite.ts";
import { type Anvil, startAnvil } from "./worlds/anvil.ts";
import { deploySolidly, type SolidlyPool, type SolidlyWorld, solidlyPoolAbi } from "./worlds/solidly.ts";
import { transferData } from "./worlds/traffic/minted-tokens.ts";
import { createRandom } from "./worlds/traffic/random.ts";

const BLOCKS = process.env.TRIBUTARY_LONG === "1" ? 1_000 : 30;

vi.setConfig({ testTimeout: process.env.TRIBUTARY_LONG === "1" ? 3_600_000 : 180_000 });

const LAST_OBSERVATION = toFunctionSelector("lastObservation()");
/** Reverts: there is no contract. */
const DEAD = { to: toAddress(`0x${"dead".repeat(10)}`), data: "0x" } as const;

let anvil: Anvil;
let world: SolidlyWorld;

beforeAll(async () => {
  anvil = await startAnvil();
  world = await deploySolidly(anvil);
});
afterAll(() => anvil?.stop());

const venue = () => ({ protocol: "solidly", source: "Velodrome_V2", factory: world.factory, fromBlock: 0n }) as const;

async function callPool(pool: SolidlyPool, functionName: string, args: readonly unknown[] = []): Promise<void> {
  await anvil.send(pool.address, encodeFunctionData({ abi: solidlyPoolAbi, functionName, args }));
}

async function lastObservation({ address }: SolidlyPool): Promise<bigint> {
  const { timestamp } = await anvil.read<{ timestamp: bigint }>(address, solidlyPoolAbi, "lastObservation");
  return timestamp;
}

async function give(pool: SolidlyPool, index: number, amount: bigint): Promise<void> {
  await anvil.send(pool.tokens[index] as Address, transferData(pool.address, amount));
}

test("following Sync logs and reading fees again leads to what the pools and their factory say", async () => {
  const random = createRandom(45);
  const pools = [
    await world.createPool(true, [6, 18]),
    await world.createPool(false, [18, 8]),
    await world.createPool(true, [18, 18]),
  ];
  // The last pool is left empty until the source watches.
  for (const pool of pools.slice(0, 2)) {
    for (const index of [0, 1]) await give(pool, index, 1_000_000n * (pool.units[index] as bigint));
    await callPool(pool, "mint");
  }
  const start = await anvil.mine();
  let terms = 0;
  const act = async () => {
    if (random.chance(0.3)) await anvil.rpc("evm_increaseTime", [random.int(600, 1_800)]);
    for (let count = random.int(0, 3); count > 0; count--) {
      const pool = random.pick(pools);
      const kind = random.int(0, 5);
      const index = random.int(0, 1);
      if (kind === 0) {
        for (const each of [0, 1]) await give(pool, each, BigInt(random.int(1, 1_000)) * (pool.units[each] as bigint));
        await callPool(pool, "mint");
      } else if (kind === 1) {
        terms++;
        await world.manage("setCustomFee", [pool.address, BigInt(random.pick([0, 1, 30, 300, 420]))]);
      } else if (kind === 2) {
        terms++;
        await world.manage("setFee", [pool.stable, BigInt(random.int(1, 100))]);
      } else if (kind === 3 && random.chance(0.3)) {
        terms++;
        await world.manage("setPauseState", [random.chance(0.3)]);
      } else {
        const amount = (pool.units[index] as bigint) * BigInt(random.int(1, 1_000));
        await give(pool, index, amount);
        const out = ((pool.units[1 - index] as bigint) * amount) / ((pool.units[index] as bigint) * 3n);
        await callPool(pool, "swap", [...(index === 0 ? [0n, out] : [out, 0n]), anvil.account, "0x"]);
      }
    }
    return anvil.mine();
  };
  const source = solidly(venue());
  const { refs, applied } = await sourceContract({
    ...{ source, reader: anvil.reader, start, blocks: BLOCKS, act },
    logsOf: anvil.logsOf,
  });
  expect(refs.map(({ id }) => id).sort()).toEqual(pools.map(({ address }) => address).sort());
  expect([...applied.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThan(BLOCKS / 4);
  expect(terms).toBeGreaterThan(BLOCKS / 6);
  for (const pool of pools) expect(await lastObservation(pool)).toBeGreaterThan(start.timestamp + 1_800n);
  await world.manage("setPauseState", [false]);
  await anvil.mine();
});

test("a pool that calls itself stable where its factory does not is not read, one without observations is", async () => {
  world = await deploySolidly(anvil);
  const pool = await world.createPool(true, [18, 18]);
  const ref = { id: pool.address, address: pool.address, tokens: pool.tokens, terms: { stable: "false" } };
  const source = solidly(venue());
  expect(await source.sync(anvil.reader, [ref], await anvil.head())).toEqual([]);
  const [read] = await source.sync(anvil.reader, [{ ...ref, terms: { stable: "true" } }], await anvil.head());
  if (read === undefined) throw new Error("the pool cannot be read");
  expect(read.state).toMatchObject({ lastObservation: await lastObservation(pool) });
  const unasked: ChainReader = {
    ...anvil.reader,
    calls: (calls, at) =>
      anvil.reader.calls(
        calls.map((call) => (call.data === LAST_OBSERVATION ? DEAD : call)),
        at,
      ),
  };
  const [untold] = await source.sync(unasked, [{ ...ref, terms: { stable: "true" } }], await anvil.head());
  const { lastObservation: _, ...rest } = read.state as SolidlyState;
  expect(untold?.state).toEqual(rest);
  const fill = { poolId: read.id, source: read.source, sellToken: pool.tokens[0], buyToken: pool.tokens[1] };
  expect(source.action(read, { ...fill, sellAmount: 1n, buyAmount: 1n, gas: 0n, share: 1n })).toEqual({
    ...{ action: "solidly-pool", pool: pool.address, feePpm: 500 },
  });
  expect(source.fillData(read)).toEqual({
    ...{ poolAddress: pool.address, factory: world.factory, stable: "true", feeBps: "5" },
  });
});
