import { describe, expect, it } from "vitest";
import type { BlockRef } from "../../src/domain/block.ts";
import { createMarket, freshnessFor } from "../../src/market/market.ts";
import { pair, tokenAt } from "./pairs.ts";

const block: BlockRef = { number: 7n, hash: "0x07", parentHash: "0x06", timestamp: 1_000n };

function started(blockAgeMs: number | undefined) {
  const clock = { ms: 1_001_000, setBackMs: 0 };
  const market = createMarket({
    chainId: 1,
    wrappedNative: tokenAt(0),
    sources: ["Test", "Gone"],
    offReason: (id) => (id === "Gone" ? "it has gone" : undefined),
    asleep: (id) => (id === "Test" ? 3 : 0),
    freshness: { confirmedWithinMs: 10_000, blockAgeMs },
    now: () => clock.ms - clock.setBackMs,
    elapsed: () => clock.ms,
  });
  return { clock, market };
}

describe("the market", () => {
  it("has nothing to quote from before the first snapshot", () => {
    const { market } = started(60_000);
    expect(market.current()).toHaveProperty("unavailable");
    expect(market.sources().get("Test")).toEqual({ pools: 0, asleep: 3, status: "syncing", blockNumber: 0n });
    expect(market.sources().get("Gone")?.status).toBe("off");
  });

  it("gives the snapshot that was published, whole", () => {
    const { market } = started(60_000);
    market.pools.set("p", pair("p", tokenAt(0), tokenAt(1), 5n, 6n));
    const snapshot = market.publish(block, 9n);
    expect(market.current()).toEqual({ snapshot });
    expect(snapshot).toMatchObject({ chainId: 1, block, gasPrice: 9n });
    expect(snapshot.graph.time).toBe(1_000n);
    expect(snapshot.sources).toEqual(
      new Map([
        ["Test", { pools: 1, asleep: 3, status: "live", blockNumber: 7n }],
        ["Gone", { pools: 0, asleep: 0, status: "off", reason: "it has gone", blockNumber: 7n }],
      ]),
    );
    expect(snapshot.tokens).toEqual(new Set([tokenAt(0), tokenAt(1)]));
    market.pools.set("p", undefined);
    expect(snapshot.graph.pool("p")).toBeDefined();
  });

  it("lets a transaction have what EIP-7825 says, or all of a smaller block", () => {
    const { market } = started(60_000);
    expect(market.publish(block, 1n).mostGas).toBe(16_777_216n);
    expect(market.publish({ ...block, gasLimit: 30_000_000n }, 1n).mostGas).toBe(16_777_216n);
    expect(market.publish({ ...block, gasLimit: 15_000_000n }, 1n).mostGas).toBe(15_000_000n);
  });

  it("is stale when nobody confirmed the head for too long", () => {
    const { clock, market } = started(undefined);
    market.publish(block, 1n);
    clock.ms += 10_000;
    expect(market.current()).toHaveProperty("snapshot");
    clock.ms += 1;
    expect(market.current()).toHaveProperty("unavailable");
    expect(market.sources().get("Test")?.status).toBe("stale");
    market.confirm();
    expect(market.current()).toHaveProperty("snapshot");
  });

  it("is stale when nobody confirmed the head, also by a clock that was set back meanwhile", () => {
    const { clock, market } = started(undefined);
    market.publish(block, 1n);
    clock.setBackMs = 3_600_000;
    clock.ms += 10_001;
    expect(market.current()).toHaveProperty("unavailable");
  });

  it("is stale when the block is far ahead of the clock: one of the two is wrong", () => {
    const { clock, market } = started(60_000);
    clock.ms = 940_000;
    market.publish(block, 1n);
    expect(market.current()).toHaveProperty("snapshot");
    market.publish({ ...block, timestamp: 1_001n }, 1n);
    const unavailable = "The chain's newest block is 61 seconds ahead of this machine's clock.";
    expect(market.current()).toEqual({ unavailable });
  });

  it("is stale when the block itself is old, unless blocks are mined by hand", () => {
    for (const blockAgeMs of [60_000, undefined]) {
      const { clock, market } = started(blockAgeMs);
      market.publish(block, 1n);
      clock.ms = 1_060_000;
      market.confirm();
      expect(market.current()).toHaveProperty("snapshot");
      clock.ms = 1_060_001;
      market.confirm();
      expect(market.current()).toHaveProperty(blockAgeMs === undefined ? "snapshot" : "unavailable");
    }
  });

  it("serves nothing while it is suspended, even if the head is confirmed", () => {
    const { market } = started(60_000);
    market.publish(block, 1n);
    market.suspend("a reorganization");
    market.confirm();
    expect(market.current()).toEqual({ unavailable: "a reorganization" });
    expect(market.sources().get("Test")).toMatchObject({ status: "syncing", blockNumber: 7n });
    market.publish(block, 1n);
    expect(market.current()).toHaveProperty("snapshot");
  });

  it("starts again from nothing after a reset", () => {
    const { market } = started(60_000);
    market.pools.set("p", pair("p", tokenAt(0), tokenAt(1), 5n, 6n));
    market.publish(block, 1n);
    market.reset("anew");
    expect(market.current()).toEqual({ unavailable: "anew" });
    expect(market.pools.get("p")).toBeUndefined();
  });

  it("hides quarantined pools at once and until they are released", () => {
    const { market } = started(60_000);
    market.pools.set("p", pair("p", tokenAt(0), tokenAt(1), 5n, 6n));
    market.pools.set("q", pair("q", tokenAt(0), tokenAt(1), 5n, 6n));
    const taken = market.publish(block, 1n);
    market.quarantine("p", "odd");
    const seen = () => {
      const current = market.current();
      return "snapshot" in current ? current.snapshot.graph.poolsOf(tokenAt(0)).map(({ id }) => id) : [];
    };
    expect(seen()).toEqual(["q"]);
    // A snapshot taken before stays as it was.
    expect(taken.graph.pool("p")).toBeDefined();
    market.publish({ ...block, number: 8n }, 1n);
    expect(seen()).toEqual(["q"]);
    expect(market.quarantined()).toEqual(new Map([["p", "odd"]]));
    market.release("p");
    market.publish({ ...block, number: 9n }, 1n);
    expect(seen()).toEqual(["p", "q"]);
  });

  it("takes its bounds from the block time", () => {
    expect(freshnessFor(2_000)).toEqual({ confirmedWithinMs: 10_000, blockAgeMs: 60_000 });
    expect(freshnessFor(12_000)).toEqual({ confirmedWithinMs: 36_000, blockAgeMs: 120_000 });
    expect(freshnessFor(0)).toEqual({ confirmedWithinMs: 10_000, blockAgeMs: undefined });
  });
});
