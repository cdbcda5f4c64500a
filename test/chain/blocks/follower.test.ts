import { afterEach, describe, expect, it } from "vitest";
import { createTimedChain, type Following, follow, isServed } from "./following.ts";

let following: Following | undefined;

afterEach(async () => {
  await following?.stop();
  following = undefined;
});

/** A fake chain of some blocks, followed to its head. */
async function started(seed: number, options: Parameters<typeof follow>[1] = {}) {
  const fake = createTimedChain({ seed });
  for (let block = 0; block < 30; block++) fake.mine({ pairs: block % 5 === 0 ? 1 : 0 });
  following = await follow(fake, options);
  await following.caughtUp();
  return { fake, following };
}

describe("the follower", () => {
  it("publishes every block as the chain left it", async () => {
    const { fake, following } = await started(1);
    for (let block = 0; block < 20; block++) {
      fake.mine({ trades: 5, pairs: block % 4 === 0 ? 2 : 0 });
      await following.caughtUp();
    }
    expect(following.published.length).toBeGreaterThanOrEqual(20);
    expect(following.wrong).toEqual([]);
    expect(following.chain.status().resyncs).toBe(0);
  });

  it("comes along when many blocks are mined between two looks", async () => {
    const { fake, following } = await started(2);
    for (let block = 0; block < 50; block++) fake.mine({ trades: 2 });
    await following.caughtUp();
    expect(following.wrong).toEqual([]);
    expect(following.chain.status().resyncs).toBe(0);
  });

  it("keeps older snapshots as they were", async () => {
    const { fake, following } = await started(3);
    const [first] = following.published;
    const before = [...fake.block(first!.block.hash)!.pairs.keys()].map((id) => first!.graph.pool(id));
    for (let block = 0; block < 10; block++) fake.mine({ trades: 10, pairs: 1 });
    await following.caughtUp();
    expect([...fake.block(first!.block.hash)!.pairs.keys()].map((id) => first!.graph.pool(id))).toEqual(before);
    expect(before.length).toBeGreaterThan(8);
  });

  it.each(["emptyLogs", "cutLogs", "otherBlock", "garbage", "error", "silence"] as const)(
    "does not believe %s for a block's logs, and asks again",
    async (fault) => {
      const { fake, following } = await started(4);
      let left = 3;
      fake.setFaults((method) => (method === "eth_getLogs" && left-- > 0 ? fault : undefined));
      fake.mine({ trades: 1 });
      await following.caughtUp();
      expect(fake.faultsSeen.get(fault)).toBe(3);
      expect(following.wrong).toEqual([]);
    },
  );

  it("is not impressed by heads that are announced twice, or by older ones", async () => {
    const { fake, following } = await started(5);
    fake.mine();
    await following.caughtUp();
    const count = following.published.length;
    let left = 2;
    fake.setFaults((method, [tag]) => {
      return method === "eth_getBlockByNumber" && tag === "latest" && left-- > 0 ? "staleHead" : undefined;
    });
    fake.announce(5);
    await following.until(() => left < 0);
    fake.announce(5);
    expect(following.chain.status().head?.hash).toBe(fake.head.hash);
    fake.mine();
    await following.caughtUp();
    expect(following.published.length).toBe(count + 1);
    expect(following.wrong).toEqual([]);
  });

  it.each([
    [1, 1],
    [1, 2],
    [2, 1],
    [7, 7],
    [7, 3],
    [40, 41],
  ])("follows a reorganization of %i blocks that %i others replace", async (depth, length) => {
    const { fake, following } = await started(6);
    for (let block = 0; block < 40; block++) {
      fake.mine({ pairs: block % 8 === 0 ? 1 : 0 });
      await following.caughtUp();
    }
    fake.reorganize(depth, length);
    await following.caughtUp();
    fake.mine({ trades: 8 });
    await following.caughtUp();
    expect(following.wrong).toEqual([]);
    expect(following.chain.status().resyncs).toBe(0);
  });

  it("goes back when the chain was rolled back without a word", async () => {
    const { fake, following } = await started(7);
    for (let block = 0; block < 10; block++) fake.mine({ trades: 6, pairs: 1 });
    await following.caughtUp();
    fake.rollback(6);
    await following.caughtUp();
    expect(following.wrong).toEqual([]);
    expect(following.chain.status().resyncs).toBe(0);
  });

  it("reads everything anew when a reorganization is deeper than the undo ring", async () => {
    const { fake, following } = await started(8);
    for (let block = 0; block < 150; block++) fake.mine({ trades: 1 });
    await following.caughtUp();
    fake.reorganize(140, 141);
    await following.caughtUp();
    expect(following.chain.status().resyncs).toBeGreaterThan(0);
    expect(following.wrong).toEqual([]);
  });

  it("keeps what it holds while its node is behind all of it, for as long as that takes", async () => {
    const fake = createTimedChain({ seed: 12 });
    for (let block = 0; block < 200; block++) fake.mine({ trades: 1 });
    let behind = 0;
    const node = fake.connect({ name: "restarting", behind: () => behind });
    following = await follow(fake, { providers: [node.provider] });
    await following.caughtUp();
    behind = 190;
    await following.until(() => !isServed(following!.chain), 11_000);
    await fake.clock.advance(60_000);
    behind = 0;
    fake.mine({ trades: 4 });
    await following.caughtUp();
    expect(following.chain.status().resyncs).toBe(0);
    expect(following.wrong).toEqual([]);
  });

  it("reads everything anew when the chain was taken back below all that it holds, and goes on from there", async () => {
    const { fake, following } = await started(13);
    for (let part = 0; part < 2; part++) {
      for (let block = 0; block < 75; block++) fake.mine({ trades: 1 });
      await following.caughtUp();
    }
    fake.rollback(170);
    fake.mine();
    await following.caughtUp();
    expect(following.chain.status().resyncs).toBe(1);
    expect(following.wrong).toEqual([]);
  });

  it("is silent while no node confirms its head, and comes back by itself", async () => {
    const { fake, following } = await started(9);
    fake.setFaults(() => "silence");
    await following.until(() => !isServed(following.chain), 11_000);
    const current = following.chain.market.current();
    expect(current).toEqual({ unavailable: "No node has confirmed our newest block for 10 seconds." });
    expect(following.chain.market.sources().get("Fake_V2")?.status).toBe("stale");
    fake.mine();
    fake.setFaults(undefined);
    await following.caughtUp();
    expect(following.chain.market.sources().get("Fake_V2")?.status).toBe("live");
    expect(following.wrong).toEqual([]);
  });

  it("still serves what was confirmed a moment ago", async () => {
    const { fake, following } = await started(9);
    fake.setFaults(() => "error");
    await following.until(() => following.chain.status().lastError !== undefined);
    // Anybody may read it, and what the node says may name its operator's keys.
    expect(following.chain.status().lastError).toBe("the node refuses a request (code -32000)");
    expect(isServed(following.chain)).toBe(true);
  });

  it("is silent when the newest block is old by the clock, where blocks come by the clock", async () => {
    const { following } = await started(10, { blockAgeMs: 60_000 });
    expect(isServed(following.chain)).toBe(true);
    await following.until(() => !isServed(following.chain), 121_000);
    const silence = { unavailable: "The chain's newest block is 60 seconds old." };
    expect(following.chain.market.current()).toEqual(silence);
    expect(following.chain.market.sources().get("Fake_V2")?.status).toBe("stale");
  });

  it("serves nothing while a reorganization cannot be read", async () => {
    const { fake, following } = await started(11);
    fake.mine();
    await following.caughtUp();
    fake.setFaults((method) => (method === "eth_call" ? "error" : undefined));
    fake.rollback(2);
    fake.mine({ pairs: 2, trades: 0 });
    await following.until(() => !isServed(following.chain));
    expect(following.chain.market.current()).toEqual({ unavailable: "The chain is being reorganized." });
    fake.setFaults(undefined);
    await following.caughtUp();
    expect(following.wrong).toEqual([]);
  });
});
