import { describe, expect, it } from "vitest";
import { openMarket as openSaved, saveMarket } from "../../src/compose/snapshot-market.ts";
import type { Address } from "../../src/domain/address.ts";
import type { EligibilityRule } from "../../src/market/eligibility.ts";
import type { LiquiditySource } from "../../src/market/liquidity-source.ts";
import { createMarket } from "../../src/market/market.ts";
import type { Pool } from "../../src/pools/pool.ts";
import type { SourceCatalog } from "../../src/quoting/answer/route-view.ts";
import { SEARCH_BUDGET } from "../../src/quoting/search/search-budget.ts";
import { createRouter } from "../../src/routing/create-router.ts";
import { fromSnapshotMessage, toSnapshotMessage } from "../../src/snapshot/file.ts";

const WEI = 10n ** 18n;
const [WETH, USD, NEW, OTHER] = [1, 2, 3, 4].map((n) => `0x${String(n).repeat(40)}` as Address) as [
  Address,
  Address,
  Address,
  Address,
];
const HASH = `0x${"1".repeat(64)}` as const;
const HOOKS = `0x${"c".repeat(40)}` as Address;
const RULE: EligibilityRule = {
  controllers: new Set(),
  listed: new Set([WETH, USD]),
  unlisted: { minAgeBlocks: 100n, minDepthWei: 50n * WEI },
};

/** A constant-product pool; reserves in whole tokens. */
function pair(
  id: string,
  tokens: readonly [Address, Address],
  reserves: readonly [bigint, bigint],
  more: Partial<Pick<Pool, "source" | "controllers">> = {},
): Pool {
  const state = { reserves: [reserves[0] * WEI, reserves[1] * WEI] as const, feeNum: 3n, feeDen: 1_000n };
  return { id, source: "One", tokens, curve: "constant-product", state, ...more };
}

function openMarket(rule: EligibilityRule | undefined = RULE, recalled: Parameters<Market["recall"]>[0] = []) {
  const market = createMarket({
    ...{ chainId: 1, wrappedNative: WETH, references: [USD], eligibility: rule, sources: ["One", "Two"] },
    freshness: { confirmedWithinMs: Number.POSITIVE_INFINITY, blockAgeMs: undefined },
    ...{ now: () => 0, elapsed: () => 0 },
  });
  market.recall(recalled);
  const publish = (number: bigint) => market.publish({ number, hash: HASH, parentHash: HASH, timestamp: 0n }, 1n);
  const put = (...pools: readonly Pool[]) => pools.map((pool) => market.pools.set(pool.id, pool));
  const isHop = (number: bigint, token = NEW) => publish(number).graph.hops?.has(token);
  put(pair("market", [WETH, USD], [10_000n, 30_000_000n]));
  return { market, publish, put, isHop };
}
type Market = ReturnType<typeof createMarket>;

/** Deep on both venues: 60 native tokens' worth of a listed token in each. */
const DEEP = [
  pair("weth-new", [WETH, NEW], [60n, 1_000n]),
  pair("usd-new", [USD, NEW], [200_000n, 1_000n], { source: "Two" }),
] as const;

describe("a token that is not listed", () => {
  it("is a hop once it has been deep on two venues for long enough", () => {
    const { put, isHop } = openMarket();
    put(...DEEP);
    expect([1_000n, 1_050n, 1_099n, 1_100n].map((number) => isHop(number))).toEqual([false, false, false, true]);
  });

  it.each([
    ["deep on one venue only", [DEEP[0], pair("second", [USD, NEW], [200_000n, 1_000n])]],
    ["deep by tokens of the same maker", [DEEP[0], pair("made", [OTHER, NEW], [10n ** 9n, 1_000n], { source: "Two" })]],
    ["shallow", [DEEP[0], pair("thin", [USD, NEW], [100_000n, 10n ** 9n], { source: "Two" })]],
  ])("is none, however old, where it is %s", (_, pools) => {
    const { put, isHop } = openMarket();
    put(...pools);
    expect([1_000n, 100_000n].map((number) => isHop(number))).toEqual([false, false]);
  });

  it("is none as soon as its pools are emptied, and begins anew when that lasts", () => {
    const { put, isHop } = openMarket();
    put(...DEEP);
    expect([isHop(1_000n), isHop(1_100n)]).toEqual([false, true]);
    put(pair("weth-new", [WETH, NEW], [1n, 1_000n]));
    expect(isHop(1_101n)).toBe(false);
    put(DEEP[0]);
    expect(isHop(1_110n)).toBe(true);
    put(pair("weth-new", [WETH, NEW], [1n, 1_000n]));
    expect(isHop(1_111n)).toBe(false);
    expect(isHop(1_200n)).toBe(false);
    put(DEEP[0]);
    expect([1_201n, 1_300n, 1_301n].map((number) => isHop(number))).toEqual([false, false, true]);
  });

  it("is as old as an earlier run knew it, but no older than the chain", () => {
    const { market, put, isHop } = openMarket(RULE, [[NEW, 900n]]);
    put(...DEEP);
    expect(isHop(1_000n)).toBe(true);
    expect(market.deepSince()).toEqual([[NEW, 900n]]);
    const other = openMarket(RULE, [[NEW, 5_000n]]);
    other.put(...DEEP);
    expect(other.isHop(1_000n)).toBe(false);
    expect(other.market.deepSince()).toEqual([[NEW, 1_000n]]);
  });

  it("keeps its age when everything is read anew", () => {
    const { market, publish, put, isHop } = openMarket();
    put(...DEEP);
    publish(1_000n);
    market.reset("read anew");
    put(pair("market", [WETH, USD], [10_000n, 30_000_000n]), ...DEEP);
    expect(isHop(1_100n)).toBe(true);
  });

  it("is never one where there are no terms for it", () => {
    const { put, isHop } = openMarket({ ...RULE, unlisted: undefined });
    put(...DEEP);
    expect([isHop(1n), isHop(10n ** 9n)]).toEqual([false, false]);
    expect(isHop(2n * 10n ** 9n, USD)).toBe(true);
  });

  it("lets the graph name the same hops as long as they stay the same", () => {
    const { put, publish } = openMarket();
    const first = publish(1n).graph.hops;
    put(...DEEP);
    expect(publish(2n).graph.hops).toBe(first);
  });
});

describe("a route", () => {
  const router = createRouter();
  const route = (snapshot: ReturnType<Market["publish"]>, sellToken: Address, buyToken: Address) => {
    const result = router.findBest({
      order: { kind: "exactIn", sellToken, buyToken, sellAmount: WEI },
      ...{ graph: snapshot.graph, allows: () => true },
      cost: { gasPrice: 0n, rate: () => undefined },
      budget: { ...SEARCH_BUDGET, maxHops: 4, expired: () => false },
    });
    return result.found ? result.route.fills.map(({ poolId }) => poolId) : result.reason.kind;
  };
  const cheap = [
    pair("weth-new", [WETH, NEW], [600n, 1_000n]),
    pair("new-usd", [NEW, USD], [1_000n, 3_000_000n], { source: "Two" }),
  ];

  it("leads over no token that is not a hop, and over it as soon as it is", () => {
    const { publish, put } = openMarket();
    put(...cheap);
    expect(route(publish(1_000n), WETH, USD)).toEqual(["market"]);
    expect(route(publish(1_100n), WETH, USD)).toContain("new-usd");
    put(pair("weth-new", [WETH, NEW], [1n, 1n]));
    expect(route(publish(1_101n), WETH, USD)).toEqual(["market"]);
  });

  it("is the same from a saved market, whose pools could not be valued anew", () => {
    const { publish, put } = openMarket();
    put(...cheap);
    for (const number of [1_000n, 1_100n]) {
      const snapshot = publish(number);
      const sources: SourceCatalog = new Map(
        ["One", "Two"].map((id) => {
          const source = { id, kind: "amm", exactOut: true, assurance: "exact", fillData: () => ({}) } as const;
          return [id, source as unknown as LiquiditySource];
        }),
      );
      const about = { wrappedNative: WETH, referenceTokens: [USD], sources, tokens: [] };
      const saved = fromSnapshotMessage(toSnapshotMessage(saveMarket(snapshot, about)));
      const { market } = openSaved(saved);
      const current = market.current();
      if (!("snapshot" in current)) throw new Error(current.unavailable);
      expect(route(current.snapshot, WETH, USD)).toEqual(route(snapshot, WETH, USD));
      expect(current.snapshot.graph.hops?.has(NEW)).toBe(number === 1_100n);
    }
  });

  it("begins and ends at any token", () => {
    const { publish, put } = openMarket();
    put(...cheap);
    const snapshot = publish(1_000n);
    expect(route(snapshot, WETH, NEW)).toContain("weth-new");
    expect(route(snapshot, NEW, USD)).toContain("new-usd");
    put(pair("new-other", [NEW, OTHER], [1_000n, 1_000n]));
    expect(route(publish(1_001n), NEW, OTHER)).toEqual(["new-other"]);
    expect(route(publish(1_002n), WETH, OTHER)).toBe("NO_PATH");
  });

  it("uses no pool of a controller that is not allowed", () => {
    const own = pair("hooked", [WETH, USD], [10_000n, 40_000_000n], { controllers: [HOOKS] });
    const { market, publish, put } = openMarket();
    put(own);
    expect(route(publish(1n), WETH, USD)).toEqual(["market"]);
    expect(market.pools.get("hooked")).toBe(own);
    const allowing = openMarket({ ...RULE, controllers: new Set([HOOKS]) });
    allowing.put(own);
    expect(route(allowing.publish(1n), WETH, USD)).toContain("hooked");
  });
});

it("tells source by source how many pools are left out, and why", () => {
  const { market, publish, put } = openMarket();
  const leftOut = () => [...publish(1n).sources.values()].map((state) => state.leftOut?.());
  put(...DEEP, pair("hooked", [WETH, USD], [1n, 1n], { controllers: [HOOKS] }));
  expect(leftOut()).toEqual([
    [
      { reason: "CONTROLLER_NOT_ALLOWED", pools: 1 },
      { reason: "TOKEN_NOT_A_HOP", pools: 1 },
    ],
    [{ reason: "TOKEN_NOT_A_HOP", pools: 1 }],
  ]);
  market.pools.set("hooked", undefined);
  market.pools.set("usd-new", undefined);
  expect(leftOut()).toEqual([[{ reason: "TOKEN_NOT_A_HOP", pools: 1 }], []]);
});
