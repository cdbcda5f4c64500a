import { beforeEach, describe, expect, it } from "vitest";
import { createVirtualClock, type VirtualClock } from "../../../fixtures/chain/virtual-clock.ts";
import { createTrials, type Trials } from "../../../src/chain/pools/pool-trials.ts";
import { type BlockMemory, createBlockMemory } from "../../../src/chain/rpc/block-memory.ts";
import type { BlockRef } from "../../../src/domain/block.ts";
import { createMarket, type Market } from "../../../src/market/market.ts";
import { createLogger } from "../../../src/ops/logger.ts";
import type { TrialOutcome } from "../../../src/quoting/quote/pool-trial.ts";
import { pair, tokenAt } from "../../market/pairs.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let clock: VirtualClock;
let market: Market;
let trials: Trials;
let outcomes: Map<string, TrialOutcome>;
let tried: string[];
let height: bigint;
let memory: BlockMemory;
/** Blocks that have left the chain. */
let gone: Set<bigint>;

beforeEach(() => {
  clock = createVirtualClock(1_000_000);
  outcomes = new Map();
  tried = [];
  height = 1n;
  market = createMarket({
    chainId: 1,
    wrappedNative: tokenAt(0),
    sources: ["Test"],
    freshness: { confirmedWithinMs: HOUR_MS * 100, blockAgeMs: undefined },
    now: clock.now,
    elapsed: clock.elapsed,
  });
  for (const id of ["bad", "good", "wrapper"]) market.pools.set(id, pair(id, tokenAt(0), tokenAt(1), 5n, 6n));
  gone = new Set();
  memory = createBlockMemory(({ number }) => !gone.has(number));
  trials = createTrials({
    trial: async (pool) => {
      tried.push(pool.id);
      return outcomes.get(pool.id) ?? { kind: "works" };
    },
    market,
    memory,
    release: market.release,
    exempt: (id) => id === "wrapper",
    clock,
    logger: createLogger("silent"),
  });
});

async function nextBlock(): Promise<void> {
  height += 1n;
  const block: BlockRef = { number: height, hash: `0x${height}`, parentHash: `0x${height - 1n}`, timestamp: height };
  trials.look(market.publish(block, 1n));
  await clock.advance(0);
}

describe("a pool whose routes fail", () => {
  it("comes back when the block that convicted it leaves the chain, and stays when another does", async () => {
    outcomes.set("bad", { kind: "fails", reason: "LOCKED" });
    trials.accuse(["bad"]);
    for (let block = 0; block < 4; block++) await nextBlock();
    expect(market.quarantined().has("bad")).toBe(true);
    memory.rewind(height - 1n);
    expect(market.quarantined().has("bad")).toBe(true);
    memory.rewind(height - 2n);
    expect(market.quarantined().has("bad")).toBe(false);
  });

  it("is not put aside by a block that has left the chain before its trial ended", async () => {
    outcomes.set("bad", { kind: "fails", reason: "LOCKED" });
    trials.accuse(["bad"]);
    for (let block = 0; block < 2; block++) await nextBlock();
    gone.add(height + 1n);
    await nextBlock();
    expect(market.quarantined().size).toBe(0);
  });

  it("is put aside when it fails alone at three blocks, and the pools beside it are not", async () => {
    outcomes.set("bad", { kind: "fails", reason: "LOCKED" });
    trials.accuse(["good", "bad", "wrapper"]);
    for (let block = 0; block < 2; block++) await nextBlock();
    expect(market.quarantined().size).toBe(0);
    await nextBlock();
    expect(market.quarantined()).toEqual(new Map([["bad", "its swaps fail: LOCKED"]]));
    expect(tried.filter((id) => id === "good")).toEqual(["good"]);
    expect(tried).not.toContain("wrapper");
  });

  it("is acquitted by one swap that works", async () => {
    outcomes.set("bad", { kind: "fails", reason: "LOCKED" });
    trials.accuse(["bad"]);
    for (let block = 0; block < 2; block++) await nextBlock();
    outcomes.delete("bad");
    await nextBlock();
    outcomes.set("bad", { kind: "fails", reason: "LOCKED" });
    for (let block = 0; block < 5; block++) await nextBlock();
    expect(tried.length).toBe(3);
    expect(market.quarantined().size).toBe(0);
  });

  it("comes back when it works again, also if it had no state when it was to be tried", async () => {
    outcomes.set("bad", { kind: "fails", reason: "LOCKED" });
    trials.accuse(["bad"]);
    for (let block = 0; block < 3; block++) await nextBlock();
    expect(market.quarantined().has("bad")).toBe(true);
    outcomes.delete("bad");
    const state = market.pools.get("bad");
    market.pools.set("bad", undefined);
    await clock.advance(11 * MINUTE_MS);
    await nextBlock();
    market.pools.set("bad", state);
    await nextBlock();
    expect(market.quarantined().has("bad")).toBe(true);
    await clock.advance(11 * MINUTE_MS);
    await nextBlock();
    expect(market.quarantined().size).toBe(0);
  });

  it("is not put aside by trials that say nothing, however often it is accused", async () => {
    outcomes.set("bad", { kind: "unknown" });
    for (let block = 0; block < 20; block++) {
      trials.accuse(["bad"]);
      await nextBlock();
    }
    expect(tried.length).toBe(20);
    expect(market.quarantined().size).toBe(0);
  });

  it("is tried again after ten minutes, then ever more seldom, and comes back when it works", async () => {
    outcomes.set("bad", { kind: "fails", reason: "LOCKED" });
    trials.accuse(["bad"]);
    for (let block = 0; block < 3; block++) await nextBlock();
    tried = [];
    const waits = [];
    for (let minutes = 1; minutes <= 36 * 60; minutes++) {
      await clock.advance(MINUTE_MS);
      const before = tried.length;
      await nextBlock();
      if (tried.length > before) waits.push(minutes);
    }
    expect(waits).toEqual([10, 30, 70, 150, 310, 630, 990, 1_350, 1_710, 2_070]);
    outcomes.delete("bad");
    await clock.advance(6 * HOUR_MS);
    await nextBlock();
    expect(market.quarantined().size).toBe(0);
  });

  it("stays where it is when a retrial says nothing, and is not asked every block", async () => {
    outcomes.set("bad", { kind: "fails", reason: "LOCKED" });
    trials.accuse(["bad"]);
    for (let block = 0; block < 3; block++) await nextBlock();
    outcomes.set("bad", { kind: "unknown" });
    tried = [];
    await clock.advance(11 * MINUTE_MS);
    for (let block = 0; block < 5; block++) await nextBlock();
    expect(tried.length).toBe(1);
    expect(market.quarantined().has("bad")).toBe(true);
  });
});
