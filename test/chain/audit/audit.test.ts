import { afterEach, describe, expect, it } from "vitest";
import { createFakeChain } from "../../../fixtures/chain/fake-chain.ts";
import { createAudit } from "../../../src/chain/audit/audit.ts";
import type { Follower } from "../../../src/chain/blocks/follower.ts";
import { sameValue } from "../../../src/chain/node/same-value.ts";
import { createChainReader } from "../../../src/chain/rpc/reader.ts";
import type { ChainReader } from "../../../src/market/chain-reader.ts";
import type { LiquiditySource, PoolRef } from "../../../src/market/liquidity-source.ts";
import { createMarket } from "../../../src/market/market.ts";
import type { Snapshot } from "../../../src/market/snapshot.ts";
import { createLogger } from "../../../src/ops/logger.ts";
import { type Pool, withState } from "../../../src/pools/pool.ts";
import { createSources } from "../../../src/venues/index.ts";
import { pair, tokenAt } from "../../market/pairs.ts";
import { createTimedChain, type Following, follow } from "../blocks/following.ts";

let following: Following | undefined;

afterEach(async () => {
  await following?.stop();
  following = undefined;
});

describe("the audit", () => {
  it("finds nothing where memory and chain agree", async () => {
    const fake = createTimedChain({ seed: 21, pairs: 6 });
    following = await follow(fake, { auditedPerBlock: 4 });
    for (let block = 0; block < 10; block++) {
      fake.mine({ trades: 3 });
      await following.caughtUp();
    }
    await following.until(() => following!.chain.status().audit.compared >= 20);
    expect(following.chain.status().audit.mismatched).toBe(0);
    expect(following.chain.status().quarantined.size).toBe(0);
  });

  it("notices a log that is missing although the block's bloom does not show it", async () => {
    const fake = createTimedChain({ seed: 22, pairs: 2 });
    following = await follow(fake, { auditedPerBlock: 4 });
    await following.caughtUp();
    fake.setFaults((method) => (method === "eth_getLogs" ? "cutLogs" : undefined));
    for (let block = 0; block < 50 && following.wrong.length === 0; block++) {
      fake.setFaults((method) => (method === "eth_getLogs" ? "cutLogs" : undefined));
      fake.mine({ trades: 9 });
      const seen = fake.faultsSeen.get("cutLogs") ?? 0;
      await following.until(() => (fake.faultsSeen.get("cutLogs") ?? 0) > seen);
      fake.setFaults(undefined);
      await following.caughtUp();
    }
    expect(following.wrong.length).toBeGreaterThan(0);
    await following.until(() => following!.chain.status().audit.mismatched > 0);
    await following.until(() => following!.chain.status().quarantined.size === 0);
    const known = following.wrong.length;
    fake.mine();
    await following.caughtUp();
    expect(following.wrong.length).toBe(known);
  });

  it("quarantines what differs, has it repaired, and leaves it aside when that does not help", async () => {
    const fake = createFakeChain({ seed: 23, pairs: 3 });
    const sources = createSources(fake.record);
    const logger = createLogger("silent");
    const market = createMarket({
      chainId: 99,
      wrappedNative: fake.record.wrappedNative,
      sources: sources.map(({ id }) => id),
      freshness: { confirmedWithinMs: 10_000, blockAgeMs: undefined },
      now: () => 0,
      elapsed: () => 0,
    });
    const [id, { tokens, reserves }] = [...fake.head.pairs][0]!;
    const right: Pool = {
      id,
      source: "Fake_V2",
      tokens,
      curve: "constant-product",
      state: { reserves, feeNum: 3n, feeDen: 1_000n },
    };
    const repaired: string[] = [];
    const follower: Pick<Follower, "onSnapshot" | "ids" | "changed" | "tracked" | "repair" | "startOver"> = {
      onSnapshot: () => () => {},
      ids: () => [id],
      changed: () => [],
      tracked: () => ({ ref: { id, address: id, tokens, terms: {} }, source: sources[1]! }),
      repair: (ids) => repaired.push(...ids),
      startOver: () => {
        throw new Error("one pool is no reason to doubt all");
      },
    };
    const reader = createChainReader(fake.provider, fake.record);
    const audit = createAudit({ reader, sources, follower, market, logger, poolsPerBlock: 1 });
    const publish = (pool: Pool): Snapshot => {
      market.release(id);
      market.pools.set(id, pool);
      return market.publish(fake.head, 1n);
    };

    expect(await audit.recheck([id], publish(right))).toEqual([]);
    expect(market.quarantined().size).toBe(0);
    const wrong = withState(right, { reserves: [reserves[0], reserves[1] + 1n], feeNum: 3n, feeDen: 1_000n });
    for (let time = 0; time < 3; time++) {
      const snapshot = publish(wrong);
      expect(snapshot.graph.pool(id)).toBe(wrong);
      expect(await audit.recheck([id], snapshot)).toEqual([id]);
      const current = market.current();
      expect("snapshot" in current && current.snapshot.graph.pool(id)).toBeUndefined();
      expect("snapshot" in current && current.snapshot.graph.poolsOf(tokens[0]!)).toEqual([]);
    }
    expect(repaired).toEqual([id, id]);
    expect(market.quarantined().has(id)).toBe(true);
    fake.setFaults(() => "silence");
    await expect(audit.recheck([id], publish(wrong))).rejects.toThrow();
    expect(market.quarantined().size).toBe(0);
  });
});

it("every pool has its turn, and all of them are asked for once a round", async () => {
  const pools = Array.from({ length: 50 }, (_, index) => pair(`pool ${index}`, tokenAt(0), tokenAt(1), 5n, 6n));
  const market = createMarket({
    ...{ chainId: 1, wrappedNative: tokenAt(0), sources: ["Test"], now: () => 0, elapsed: () => 0 },
    freshness: { confirmedWithinMs: 10_000, blockAgeMs: undefined },
  });
  for (const pool of pools) market.pools.set(pool.id, pool);
  const read: string[] = [];
  const source = {
    id: "Test",
    async sync(_: unknown, refs: readonly PoolRef[]) {
      read.push(...refs.map(({ id }) => id));
      return refs.map(({ id }) => market.pools.get(id)!);
    },
  } as unknown as LiquiditySource;
  let listed = 0;
  let reportUnserved = (_: Snapshot) => {};
  const audit = createAudit({
    ...{ reader: {} as ChainReader, sources: [source], market, logger: createLogger("silent"), poolsPerBlock: 3 },
    follower: {
      onSnapshot(listener) {
        reportUnserved = listener;
        return () => {};
      },
      ids() {
        listed += 1;
        // The audit skips a pool without a state.
        return ["unread", ...pools.map(({ id }) => id)];
      },
      changed: () => [],
      tracked: (id) => ({ ref: { id, address: tokenAt(2), tokens: [], terms: {} }, source }),
      repair: () => {},
      startOver: () => {},
    },
  });
  for (let block = 0; block < 34; block++) {
    reportUnserved(market.publish({ number: BigInt(block), hash: "0x", parentHash: "0x", timestamp: 1n }, 1n));
    await new Promise(setImmediate);
  }
  await audit.stop();
  expect(read.slice(0, 50)).toEqual(pools.map(({ id }) => id));
  expect(read).toHaveLength(34 * 3);
  expect(listed).toBe(3);
});

it.each([undefined, true] as const)(
  "three pools that differ put all in doubt, unless they call foreign contracts: %s",
  async (callsForeignContracts) => {
    const pools = Array.from({ length: 3 }, (_, index) => pair(`pool ${index}`, tokenAt(0), tokenAt(1), 5n, 6n));
    const market = createMarket({
      ...{ chainId: 1, wrappedNative: tokenAt(0), sources: ["Test"], now: () => 0, elapsed: () => 0 },
      freshness: { confirmedWithinMs: 10_000, blockAgeMs: undefined },
    });
    for (const pool of pools) market.pools.set(pool.id, pool);
    const source = {
      id: "Test",
      sync: async () => [],
      ...(callsForeignContracts && { callsForeignContracts }),
    } as unknown as LiquiditySource;
    let doubts = 0;
    const audit = createAudit({
      ...{ reader: {} as ChainReader, sources: [source], market, logger: createLogger("silent"), poolsPerBlock: 3 },
      follower: {
        ...{ onSnapshot: () => () => {}, ids: () => [], changed: () => [], repair: () => {} },
        tracked: (id) => ({ ref: { id, address: tokenAt(2), tokens: [], terms: {} }, source }),
        startOver() {
          doubts += 1;
        },
      },
    });
    const ids = pools.map(({ id }) => id);
    const snapshot = market.publish({ number: 1n, hash: "0x", parentHash: "0x", timestamp: 1n }, 1n);
    expect(await audit.recheck(ids, snapshot)).toEqual(ids);
    expect([...market.quarantined().keys()]).toEqual(ids);
    expect(doubts).toBe(callsForeignContracts ? 0 : 1);
  },
);

describe("sameValue", () => {
  it.each([
    [1n, 1n, true],
    [1n, 1, false],
    [{ a: [1n, { b: "x" }] }, { a: [1n, { b: "x" }] }, true],
    [{ a: [1n, { b: "x" }] }, { a: [1n, { b: "y" }] }, false],
    [{ a: 1 }, { a: 1, b: undefined }, false],
    [{ a: undefined }, { b: undefined }, false],
    [[1], { 0: 1 }, false],
    [[1, 2], [1], false],
    [undefined, {}, false],
    [null, {}, false],
  ])("of %o and %o is %s", (a, b, same) => {
    expect(sameValue(a, b)).toBe(same);
    expect(sameValue(b, a)).toBe(same);
  });
});
