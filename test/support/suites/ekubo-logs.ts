import { expect, test } from "vitest";
import { ZERO_ADDRESS } from "../../../src/domain/address.ts";
import type { PoolRef } from "../../../src/market/liquidity-source.ts";
import { rangeOf } from "../../../src/pools/ekubo/config.ts";
import { sourceContract } from "../../market/liquidity-source.suite.ts";
import { configOfRange, configWithSpacing } from "../../pools/ekubo/arbitrary-ekubo.ts";
import type { Anvil } from "../../venues/worlds/anvil.ts";
import { type EkuboWorld, LISTENER } from "../../venues/worlds/singletons/ekubo.ts";
import { type Busy, createPositionTraffic } from "../../venues/worlds/traffic/position-traffic.ts";
import { createRandom } from "../../venues/worlds/traffic/random.ts";
import { deployTokens } from "../../venues/worlds/v3.ts";

const BLOCKS = process.env.TRIBUTARY_LONG === "1" ? 400 : 30;

/** Pools of every kind are traded at random on a chain, and followed by their logs. */
export function testEkuboLogs(chain: () => { readonly anvil: Anvil; readonly world: EkuboWorld }): void {
  test("following the logs leads to price, liquidity and ticks that the pools hold", async () => {
    const { anvil, world } = chain();
    const random = createRandom(73);
    const [a, b] = await deployTokens(anvil, [world.desk]);
    const busy: Busy[] = [];
    for (const [tokens, feePpm, spacing, middle] of [
      [[a, b], 500n, 1_000, 3],
      [[a, b], 3_000n, 5_982, 2_001],
      [[ZERO_ADDRESS, a], 100n, 200, -40],
    ] as const) {
      const pool = await world.create(tokens, configWithSpacing(feePpm, spacing), middle * spacing + 17);
      busy.push({ pool, spacing, middle });
    }
    const told = (BigInt(LISTENER) << 96n) | configOfRange(0n, 0, 0);
    const ranges = [
      await world.create([ZERO_ADDRESS, b], told, 5_000),
      await world.create([a, b], configOfRange(100n, 14, -700), -12_000),
    ];
    const start = await anvil.mine();
    const swapAny = (pool: PoolRef) => world.swap(pool, random.chance(0.5), random.ofBits(70) + 1n);
    const happen = createPositionTraffic(
      random,
      busy,
      {
        mint: (pool, lower, upper, liquidity) => world.modify(pool, lower, upper, liquidity + 1n),
        burn: (pool, lower, upper, liquidity) => world.modify(pool, lower, upper, -liquidity - 1n),
        swapExactIn: (pool, zeroForOne, amount) => world.swap(pool, zeroForOne, amount + 1n),
      },
      [
        async () => {
          const pool = random.pick(ranges);
          const { lower, upper } = rangeOf(BigInt(pool.terms.config as string));
          await world.modify(pool, lower, upper, random.ofBits(70) + 1n);
        },
        () => swapAny(random.pick(ranges)),
      ],
    );
    const { source } = world;
    const { refs, applied } = await sourceContract({
      ...{ source, reader: anvil.reader, start, blocks: BLOCKS, logsOf: anvil.logsOf },
      act: () => happen().then(() => anvil.mine()),
    });
    expect(refs.map(({ id }) => id).sort()).toEqual(
      [...busy.map(({ pool }) => pool.id), ...ranges.map(({ id }) => id)].sort(),
    );
    const [positionsChanged] = source.stateTopics.map((topic) => applied.get(topic) ?? 0);
    expect(positionsChanged).toBeGreaterThan(BLOCKS / 3);
    expect(applied.get("")).toBeGreaterThan(BLOCKS / 6);
  });
}
