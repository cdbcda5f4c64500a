import { describe, expect, it } from "vitest";
import { createFakeChain, createRandom, type Fault, type FaultPlan } from "../support/fake-chain.ts";
import { follow } from "./following.ts";

const SEEDS = process.env.TRIBUTARY_LONG === "1" ? 1_000 : 40;
const BLOCKS = 60;
const FAULTY_SHARE = 0.05;
const FAULTS: readonly Fault[] = ["error", "silence", "emptyLogs", "otherBlock", "staleHead", "garbage"];

interface Covered {
  snapshots: number;
  reorganizations: number;
  rollbacks: number;
  deep: number;
  resyncs: number;
  faults: Map<Fault, number>;
}

function faultPlan(random: () => number): FaultPlan {
  return (method, [filter]) => {
    if (random() >= FAULTY_SHARE) return undefined;
    const fault = FAULTS[Math.floor(random() * FAULTS.length)]!;
    // A range of logs that is answered short cannot be told from one that is whole; see the follower's BASE_DEPTH.
    const isRange = method === "eth_getLogs" && typeof filter === "object" && filter !== null && "fromBlock" in filter;
    return isRange && fault === "emptyLogs" ? undefined : fault;
  };
}

/** A chain that lives a life of faults and reorganizations; at the end it is quiet and has to be caught up with. */
async function live(seed: number, covered: Covered): Promise<void> {
  const random = createRandom(seed);
  const fake = createFakeChain({ seed, pairs: 4 });
  for (let block = 0; block < 150; block++) fake.mine({ trades: 1 });
  fake.setFaults(faultPlan(createRandom(seed + 1_000_000)));
  const following = await follow(fake, { auditedPerBlock: 1 });
  try {
    for (let block = 0; block < BLOCKS; block++) {
      const chance = random();
      if (chance < 0.06) {
        const depth = 1 + Math.floor(random() * 12);
        fake.reorganize(depth, Math.max(1, depth - 1 + Math.floor(random() * 3)));
        covered.reorganizations += 1;
      } else if (chance < 0.09) {
        fake.rollback(1 + Math.floor(random() * 4));
        covered.rollbacks += 1;
      } else if (chance < 0.095) {
        fake.reorganize(135, 136);
        covered.deep += 1;
      } else {
        fake.mine({ trades: Math.floor(random() * 5), pairs: random() < 0.1 ? 1 : 0 });
      }
      fake.announce(Math.floor(random() * 3));
      const turns = Math.floor(random() * 30);
      for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
    }
    fake.setFaults(undefined);
    await following.caughtUp();
    expect(following.wrong, `seed ${seed}`).toEqual([]);
    // All pairs of this branch and the wrapper; none of a branch that is gone.
    expect(following.chain.status().pools, `seed ${seed}`).toBe(fake.head.pairs.size + 1);
    expect(following.chain.status().audit.mismatched, `seed ${seed}`).toBe(0);
    covered.snapshots += following.published.length;
    covered.resyncs += following.chain.status().resyncs;
    for (const [fault, times] of fake.faultsSeen) covered.faults.set(fault, (covered.faults.get(fault) ?? 0) + times);
  } finally {
    await following.chain.stop();
  }
}

describe("whatever a node does", () => {
  it("every snapshot is the truth of its block, and the head is reached when it ends", async () => {
    const covered: Covered = { snapshots: 0, reorganizations: 0, rollbacks: 0, deep: 0, resyncs: 0, faults: new Map() };
    const lives = Array.from({ length: SEEDS }, (_, seed) => seed);
    while (lives.length > 0) await Promise.all(lives.splice(0, 8).map((seed) => live(seed, covered)));
    expect(covered.snapshots).toBeGreaterThan(SEEDS * 5);
    expect(covered.reorganizations).toBeGreaterThan(SEEDS);
    expect(covered.rollbacks).toBeGreaterThan(SEEDS / 2);
    expect(covered.deep).toBeGreaterThan(SEEDS / 10);
    expect(covered.resyncs).toBeGreaterThanOrEqual(1);
    for (const fault of FAULTS) expect(covered.faults.get(fault), fault).toBeGreaterThan(SEEDS / 4);
  }, 3_600_000);
});
