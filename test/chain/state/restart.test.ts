import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Provider } from "../../../src/chain/rpc/provider.ts";
import { createLogger } from "../../../src/ops/logger.ts";
import { createTimedChain, type Following, follow, type TimedChain } from "../blocks/following.ts";

const BLOCK_MS = 2_000;

let folder: string;
let following: Following | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tributary-restart-"));
});
afterEach(async () => {
  await following?.stop();
  following = undefined;
  rmSync(folder, { recursive: true });
});

/** A chain that was followed for a while by a process that has ended. */
async function left(seed: number): Promise<TimedChain> {
  const fake = createTimedChain({ seed, pairs: 20 });
  for (let block = 0; block < 60; block++) fake.mine({ pairs: block % 10 === 0 ? 1 : 0 });
  await run(fake);
  for (let block = 0; block < 20; block++) await mine(fake);
  await stop();
  return fake;
}

async function run(fake: TimedChain): Promise<Following> {
  following = await follow(fake, { dataDir: folder });
  await following.caughtUp();
  return following;
}

async function stop(): Promise<void> {
  await following?.stop();
  following = undefined;
}

async function mine(fake: TimedChain): Promise<void> {
  fake.mine({ trades: 4 });
  await fake.clock.advance(BLOCK_MS);
}

/** Reads of pools' state since `before`. */
function countCalls(fake: TimedChain): { calls: number; ranges: number } {
  const seen = { calls: 0, ranges: 0 };
  fake.setFaults((method, [filter]) => {
    if (method === "eth_call") seen.calls += 1;
    if (method === "eth_getLogs" && Object.hasOwn(filter as object, "fromBlock")) seen.ranges += 1;
    return undefined;
  });
  return seen;
}

describe("after a restart", () => {
  it("nothing is read but what happened meanwhile", async () => {
    const fake = await left(71);
    for (let block = 0; block < 100; block++) fake.mine({ trades: 3 });
    const seen = countCalls(fake);
    const { wrong, published, chain } = await run(fake);
    expect(seen.ranges).toBe(0);
    // The audit reads a few pools of every snapshot, two calls each.
    expect(seen.calls).toBeLessThan(fake.head.pairs.size);
    expect(published.length).toBeGreaterThan(0);
    expect(wrong).toEqual([]);
    expect(chain.status().audit.mismatched).toBe(0);
  });

  it("the log says that the kept state was gone on from, at which block", async () => {
    const fake = await left(72);
    const log: { block?: number; pools?: number; msg: string }[] = [];
    const logger = createLogger("info", { write: (line) => void log.push(JSON.parse(line)) });
    const kept = Number(fake.head.number);
    following = await follow(fake, { dataDir: folder, logger });
    await following.caughtUp();
    expect(log.find(({ msg }) => msg === "going on from the kept state")).toMatchObject({
      block: expect.toSatisfy((block: number) => block <= kept && block > kept - 30),
      // The wrapped native token is one.
      pools: fake.head.pairs.size + 1,
    });
    await stop();
    rmSync(folder, { recursive: true });
    log.length = 0;
    following = await follow(fake, { dataDir: folder, logger });
    await following.caughtUp();
    expect(log.map(({ msg }) => msg)).not.toContain("going on from the kept state");
  });

  it("the state of a pool that was in quarantine is read anew", async () => {
    const fake = await left(79);
    const [id] = [...fake.head.pairs.keys()];
    (await run(fake)).chain.quarantine(id!, "its state differed from the chain's");
    await mine(fake);
    await stop();
    const asked: unknown[] = [];
    fake.setFaults((method, [call]) => {
      if (method === "eth_call") asked.push((call as { readonly to: string }).to);
      return undefined;
    });
    following = await follow(fake, { dataDir: folder, auditedPerBlock: 0 });
    await following.caughtUp();
    expect(asked).toContain(id);
    expect(asked.length).toBeLessThan(5);
    expect(following.wrong).toEqual([]);
  });

  it("pools that came meanwhile are there", async () => {
    const fake = await left(72);
    const before = fake.head.pairs.size;
    for (let block = 0; block < 40; block++) fake.mine({ pairs: block % 4 === 0 ? 1 : 0 });
    const { wrong, chain } = await run(fake);
    expect(fake.head.pairs.size).toBe(before + 10);
    expect(chain.status().pools).toBe(before + 11);
    expect(wrong).toEqual([]);
  });

  it("blocks that were reorganized away meanwhile are forgotten", async () => {
    const fake = await left(73);
    fake.reorganize(7, 9);
    const { wrong } = await run(fake);
    expect(wrong).toEqual([]);
  });

  it("a state whose block has gone is not used", async () => {
    const fake = await left(74);
    fake.reorganize(50, 60);
    const { wrong, chain } = await run(fake);
    expect(wrong).toEqual([]);
    expect(chain.status().pools).toBe(fake.head.pairs.size + 1);
  });

  it("a state that is too old saves the search, not the reading", async () => {
    const fake = await left(75);
    for (let block = 0; block < 2_100; block++) fake.mine({ trades: 1, pairs: block === 1_000 ? 1 : 0 });
    const firsts: bigint[] = [];
    fake.setFaults((method, [filter]) => {
      if (method === "eth_getLogs" && Object.hasOwn(filter as object, "fromBlock")) {
        firsts.push(BigInt((filter as { fromBlock: string }).fromBlock));
      }
      return undefined;
    });
    const { wrong, chain } = await run(fake);
    expect(firsts.length).toBeGreaterThan(0);
    for (const first of firsts) expect(first).toBeGreaterThan(60n);
    expect(wrong).toEqual([]);
    expect(chain.status().pools).toBe(fake.head.pairs.size + 1);
  });

  it("a source whose contracts were not there before is searched from its beginning", async () => {
    const fake = createTimedChain({ seed: 78, pairs: 20 });
    for (let block = 0; block < 60; block++) fake.mine();
    const codeless: Provider = {
      ...fake.provider,
      request: async (method, ...rest) => (method === "eth_getCode" ? "0x" : fake.provider.request(method, ...rest)),
    };
    following = await follow(fake, { dataDir: folder, providers: [codeless] });
    await following.caughtUp();
    expect(following.chain.status().pools).toBe(0);
    await stop();
    const { published, chain } = await run(fake);
    for (let block = 0; block < 5; block++) await mine(fake);
    expect(chain.status().pools).toBe(fake.head.pairs.size + 1);
    expect(published.at(-1)!.sources.get("Fake_V2")!.pools).toBe(fake.head.pairs.size);
  });

  it("a node that is behind what was followed to is waited for", async () => {
    const fake = await left(80);
    let behind = 30;
    const slow = fake.connect({ name: "slow", behind: () => behind });
    let searches = 0;
    slow.setFaults((method, [filter]) => {
      if (method === "eth_getLogs" && Object.hasOwn(filter as object, "fromBlock")) searches += 1;
      return undefined;
    });
    following = await follow(fake, { dataDir: folder, providers: [slow.provider] });
    await fake.clock.advance(300_000);
    expect(following.chain.status().phase).toBe("syncing");
    behind = 0;
    await following.caughtUp();
    expect(searches).toBe(0);
    expect(following.wrong).toEqual([]);
  });

  it("what was kept of a chain that has begun anew is not waited for", async () => {
    const fake = await left(81);
    fake.rollback(70);
    fake.mine();
    const { wrong, chain } = await run(fake);
    expect(chain.status().head!.number).toBe(fake.head.number);
    expect(wrong).toEqual([]);
  });

  it("a damaged file is done without", async () => {
    const fake = await left(76);
    const path = join(folder, "pools-99.state");
    const text = readFileSync(path, "latin1");
    // A reserve: the first field of its message, in decimal digits.
    const changed = text.replace(/(\n.)(\d)(?=\d{4})/s, (_, tag, digit) => `${tag}${(Number(digit) % 9) + 1}`);
    expect(changed).not.toBe(text);
    writeFileSync(path, changed, "latin1");
    const { wrong } = await run(fake);
    expect(wrong).toEqual([]);
  });

  it("again and again, with faults and reorganizations in between, it is what the chain is", async () => {
    const fake = await left(77);
    let restarts = 0;
    for (let round = 0; round < 25; round++) {
      const { wrong } = await run(fake);
      for (let block = 0; block < round % 5; block++) await mine(fake);
      if (round % 4 === 1) fake.reorganize(1 + (round % 6), 2 + (round % 6));
      expect(wrong, `round ${round}`).toEqual([]);
      await stop();
      restarts += 1;
      for (let block = 0; block < (round * 7) % 30; block++) fake.mine({ trades: 2, pairs: block % 20 === 0 ? 1 : 0 });
    }
    expect(restarts).toBe(25);
  });
});
