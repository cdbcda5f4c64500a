import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Address } from "../../src/domain/address.ts";
import { sqrtRatioAtTick } from "../../src/math/tick-math.ts";
import { uniswapV3 } from "../../src/venues/uniswap-v3/source.ts";
import { sourceContract } from "../market/liquidity-source.suite.ts";
import { type Anvil, startAnvil } from "./worlds/anvil.ts";
import { createRandom } from "./worlds/traffic/random.ts";
import { deployTokens, deployV3, initialize, setProtocolFee, type V3World } from "./worlds/v3.ts";

const BLOCKS = process.env.TRIBUTARY_LONG === "1" ? 600 : 40;

vi.setConfig({ testTimeout: process.env.TRIBUTARY_LONG === "1" ? 3_600_000 : 180_000 });

let anvil: Anvil;
let world: V3World;

beforeAll(async () => {
  anvil = await startAnvil();
  world = await deployV3(anvil);
});
afterAll(() => anvil?.stop());

test("following the logs leads to price, liquidity and ticks that the pools hold", async () => {
  const random = createRandom(43);
  const tokens = await deployTokens(anvil, [world.manager, world.router]);
  const fees = [
    { fee: 3000, spacing: 60, middle: 0 },
    { fee: 10000, spacing: 200, middle: -300 },
    { fee: 500, spacing: 10, middle: 2001 },
  ] as const;
  const pools: Address[] = [];
  for (const { fee } of fees) pools.push(await world.createPool(tokens, fee));
  const start = await anvil.mine();

  // The second pool gets its price only later, in sight of the source.
  for (const index of [0, 2] as const) {
    await initialize(anvil, pools[index] as Address, sqrtRatioAtTick(fees[index].middle * fees[index].spacing));
  }
  let done = 0;
  const act = async () => {
    if (done++ === 4)
      await initialize(anvil, pools[1] as Address, sqrtRatioAtTick(fees[1].middle * fees[1].spacing) + 12345n);
    for (let count = random.int(0, 4); count > 0; count--) {
      const { fee, spacing, middle } = random.pick(fees);
      const pool = pools[fees.findIndex((each) => each.fee === fee)] as Address;
      const kind = random.int(0, 9);
      if (kind < 4) {
        const lower = (middle + random.int(-40, 30)) * spacing;
        const upper = lower + random.int(1, 60) * spacing;
        await world.mint(tokens, fee, lower, upper, [random.ofBits(80), random.ofBits(80)]);
      } else if (kind < 6) {
        const id = BigInt(random.int(1, 12));
        await world.burn(id, random.chance(0.5) ? await world.liquidityOf(id) : random.ofBits(70));
      } else if (kind === 6) {
        await setProtocolFee(anvil, pool);
      } else {
        const [from, to] = random.chance(0.5) ? tokens : [tokens[1], tokens[0]];
        await world.swapExactIn(from, to, fee, random.ofBits(82));
      }
    }
    return anvil.mine();
  };
  const source = uniswapV3({ protocol: "uniswap-v3", source: "Uniswap_V3", factory: world.factory, fromBlock: 0n });
  const { refs, applied } = await sourceContract({
    ...{ source, reader: anvil.reader, start, blocks: BLOCKS, act },
    logsOf: anvil.logsOf,
  });
  expect(refs.map(({ id }) => id).sort()).toEqual([...pools].sort());
  const [initializations, mints, burns, swaps] = source.stateTopics.map((topic) => applied.get(topic) ?? 0);
  expect(initializations).toBe(3);
  expect(mints).toBeGreaterThan(BLOCKS / 3);
  expect(burns).toBeGreaterThan(2);
  expect(swaps).toBeGreaterThan(BLOCKS / 5);

  // A node that runs no creation code is asked word by word.
  const { calls, logs } = anvil.reader;
  const head = await anvil.head();
  expect(await source.sync({ calls, logs }, refs, head)).toEqual(await source.sync(anvil.reader, refs, head));
});
