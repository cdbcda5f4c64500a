import { afterEach, describe, expect, it } from "vitest";
import type { FaultPlan } from "../../../fixtures/chain/fake-node.ts";
import { createRandom } from "../../../fixtures/random.ts";
import { createTimedChain, type Following, follow, isServed, type TimedChain } from "./following.ts";

let following: Following | undefined;

afterEach(async () => {
  await following?.stop();
  following = undefined;
});

/** Blocks that the chain has before anybody follows it: more than can be taken back. */
const PAST = 200;
const BLOCK_MS = 2_000;
/** Parts of the requests that each fault meets, where it can: one in twenty fails, one list of a block's logs in fifty is empty. */
const SHARES = { garbage: 0.05, emptyLogs: 0.02, staleHead: 0.02 } as const;

function badLine(seed: number): FaultPlan {
  const { unit } = createRandom(seed);
  return (method, [first]) => {
    let left = unit();
    for (const [fault, share] of Object.entries(SHARES)) {
      left -= share;
      if (left >= 0) continue;
      // Lists of many blocks cannot be seen to lack something.
      if (fault === "emptyLogs" && !(method === "eth_getLogs" && Object.hasOwn(first as object, "blockHash")))
        return undefined;
      if (fault === "staleHead" && first !== "latest") return undefined;
      return fault as keyof typeof SHARES;
    }
    return undefined;
  };
}

async function started(seed: number): Promise<{ fake: TimedChain; following: Following }> {
  const fake = createTimedChain({ seed, pairs: 40 });
  for (let block = 0; block < PAST; block++) fake.mine({ trades: 2, pairs: block % 8 === 0 ? 1 : 0 });
  following = await follow(fake);
  await following.caughtUp();
  return { fake, following };
}

describe("soon after the start", () => {
  it.each([1, 17, 60, 110])("a reorganization of %i blocks is followed: not everything is read anew", async (depth) => {
    const { fake, following } = await started(21);
    await fake.clock.advance(10 * BLOCK_MS);
    fake.reorganize(depth, depth + 1);
    await following.caughtUp();
    fake.mine({ trades: 8 });
    await following.caughtUp();
    expect(following.wrong).toEqual([]);
    expect(following.chain.status().resyncs).toBe(0);
  });

  it("an answer of a node that lags by more than can be taken back has nothing read anew", async () => {
    const { fake, following } = await started(24);
    for (let block = 0; block < 20; block++) {
      fake.mine({ trades: 4 });
      // As often as not the node behind the same address is another one.
      let polls = 0;
      fake.setFaults((method, [height]) =>
        method === "eth_getBlockByNumber" && height === "latest" && polls++ < 2 ? "oldHead" : undefined,
      );
      await fake.clock.advance(BLOCK_MS);
    }
    await following.caughtUp();
    // More than one for each block.
    expect(fake.faultsSeen.get("oldHead")).toBeGreaterThan(20);
    expect(following.chain.status().resyncs).toBe(0);
    expect(following.wrong).toEqual([]);
  });

  it("a pool in quarantine stays there, though a reorganization has it read anew", async () => {
    const { fake, following } = await started(23);
    await fake.clock.advance(10 * BLOCK_MS);
    const [id] = fake.block(fake.head.hash)!.logs.map(({ address }) => address);
    following.chain.quarantine(id!, "a test said so");
    fake.reorganize(30, 31);
    await following.caughtUp();
    expect(following.chain.status().quarantined.get(id!)).toBe("a test said so");
  });

  it("one that is deeper than can be taken back has everything read anew, and callers are told that", async () => {
    const { fake, following } = await started(22);
    await fake.clock.advance(10 * BLOCK_MS);
    fake.reorganize(140, 141);
    const reasons = new Set<string>();
    await following.until(() => {
      const current = following.chain.market.current();
      if ("unavailable" in current) reasons.add(current.unavailable);
      return reasons.size > 0 && isServed(following.chain);
    });
    const why = "a reorganization went deeper than can be taken back";
    expect([...reasons]).toEqual([`The state of the chain is being read anew: ${why}.`]);
    expect(following.chain.status().resyncs).toBe(1);
    await following.caughtUp();
    expect(following.wrong).toEqual([]);
  });
});

it.each([31, 32, 33])(
  "behind a bad line, with a reorganization every few blocks, nine of ten looks find a snapshot (seed %i)",
  async (seed) => {
    const { fake, following } = await started(seed);
    const { unit } = createRandom(seed);
    await fake.clock.advance(10 * BLOCK_MS);
    fake.setFaults(badLine(seed));
    let looks = 0;
    let served = 0;
    const live = async (ms: number) => {
      for (let passed = 0; passed < ms; passed += 100) {
        await fake.clock.advance(100);
        looks += 1;
        if (isServed(following.chain)) served += 1;
      }
    };
    for (let round = 0; round < 25; round++) {
      const depth = 1 + Math.floor(unit() * 64);
      fake.reorganize(depth, depth);
      for (let block = 3 + Math.floor(unit() * 4); block > 0; block--) {
        fake.mine({ trades: 4, pairs: block % 2 });
        await live(BLOCK_MS);
      }
    }
    fake.setFaults(undefined);
    await following.caughtUp();
    expect(following.wrong).toEqual([]);
    expect(following.chain.status().audit.mismatched).toBe(0);
    expect(served / looks).toBeGreaterThan(0.9);
  },
);
