import { expect, it } from "vitest";
import type { LeftOut } from "../../src/market/eligibility.ts";
import { createMarket, freshnessFor } from "../../src/market/market.ts";
import type { Pool } from "../../src/pools/pool.ts";
import { pair, tokenAt } from "./pairs.ts";

const [DAI, GEM] = [tokenAt(0), tokenAt(1)];

/** A stability module; without fees nobody may trade in that direction. */
function module(id: string, fees: { readonly tin?: bigint; readonly tout?: bigint }): Pool {
  const state = { dai: 10n ** 20n, gem: 10n ** 8n, to18: 10n ** 12n, ...fees };
  return { id, source: "PSM", tokens: [DAI, GEM], curve: "psm", state };
}

/** A volatile pool of Solidly's kind. */
function volatile(id: string, paused: boolean): Pool {
  const state = { stable: false, reserves: [5n, 6n], units: [1n, 1n], feeBps: 30n, paused } as const;
  return { id, source: "Velodrome", tokens: [DAI, GEM], curve: "solidly", state };
}

it("counts pools that are switched off both ways, with those of which that was known before they were read", () => {
  const unserved = new Map<string, readonly LeftOut[]>([
    [
      "Velodrome",
      [
        { reason: "PAUSED", pools: 2 },
        { reason: "PUT_ASIDE", pools: 1 },
      ],
    ],
  ]);
  const market = createMarket({
    ...{ chainId: 1, wrappedNative: DAI, sources: ["PSM", "Velodrome", "Test"], freshness: freshnessFor(0) },
    unserved: (source) => unserved.get(source) ?? [],
    ...{ now: () => 0, elapsed: () => 0 },
  });
  const publish = (...pools: readonly Pool[]) => {
    for (const pool of pools) market.pools.set(pool.id, pool);
    const { sources } = market.publish({ number: 1n, hash: "0x01", parentHash: "0x00", timestamp: 1n }, 1n);
    return ["PSM", "Velodrome", "Test"].map((source) => sources.get(source)?.leftOut?.());
  };
  expect(
    publish(
      ...[module("halted", {}), module("one way", { tin: 0n }), module("open", { tin: 0n, tout: 0n })],
      ...[volatile("off", true), volatile("on", false), pair("pair", DAI, GEM, 5n, 6n)],
    ),
  ).toEqual([
    [{ reason: "PAUSED", pools: 1 }],
    [
      { reason: "PAUSED", pools: 3 },
      { reason: "PUT_ASIDE", pools: 1 },
    ],
    [],
  ]);
  expect(publish(module("halted", { tout: 0n }), volatile("off", false))).toEqual([
    [],
    [
      { reason: "PAUSED", pools: 2 },
      { reason: "PUT_ASIDE", pools: 1 },
    ],
    [],
  ]);
});
