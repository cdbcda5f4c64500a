import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Provider } from "../../../src/chain/rpc/provider.ts";
import { RpcError } from "../../../src/chain/rpc/provider-errors.ts";
import type { Address } from "../../../src/domain/address.ts";
import type { Token } from "../../../src/domain/token.ts";
import { createTimedChain, type Following, follow, type TimedChain } from "../blocks/following.ts";

const BLOCK_MS = 2_000;
const LISTED = 5;
const PAIRS = 6;

let folder: string;
let following: Following | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tributary-first-start-"));
});
afterEach(async () => {
  await following?.stop();
  following = undefined;
  rmSync(folder, { recursive: true });
});

/** A chain with a past in which many pairs were made, the listed ones among the first. */
function grown(seed: number, dust = false): { fake: TimedChain; tokens: readonly Token[] } {
  const fake = createTimedChain({ seed, pairs: PAIRS, dust });
  const tokens = [...fake.head.pairs.values()].slice(0, LISTED).map(({ tokens: pair }, index): Token => {
    const address = pair.find((token) => token !== fake.record.wrappedNative)!;
    return { address, symbol: `T${index}`, name: `Token ${index}`, decimals: 18 };
  });
  for (let block = 0; block < 300; block++) fake.mine({ trades: 1, pairs: block % 10 === 0 ? 1 : 0 });
  // Pools announced near the head are found by following it.
  for (let block = 0; block < 20; block++) fake.mine({ trades: 1 });
  return { fake, tokens };
}

/** The second run over a chain: the first has kept what it knew, and the second has begun with it and caught up. */
async function followAgain(fake: TimedChain, options: Parameters<typeof follow>[1]): Promise<Following> {
  following = await follow(fake, options);
  await following.until(() => following!.published.length > 0);
  await mine(fake, 30);
  await following.stop();
  following = await follow(fake, options);
  await mine(fake, 20);
  await following.caughtUp();
  return following;
}

/** Faults in published snapshots, apart from pairs that are still to be found. */
const falsehoods = ({ wrong }: Following) => wrong.filter((text) => text.includes("other reserves"));

const toOf = (call: unknown) => (call as { readonly to: Address }).to;

/** Counts requests for logs of ranges of blocks from now on. */
function countSearches(fake: TimedChain): () => number {
  let searches = 0;
  fake.setFaults((method, [filter]) => {
    if (method === "eth_getLogs" && Object.hasOwn(filter as object, "fromBlock")) searches += 1;
    return undefined;
  });
  return () => searches;
}

async function mine(fake: TimedChain, blocks: number): Promise<void> {
  for (let block = 0; block < blocks; block++) {
    fake.mine({ trades: 3 });
    await fake.clock.advance(BLOCK_MS);
  }
}

describe("the first start on a chain with a long past", () => {
  it("quotes from the pools of the listed tokens before any search has come back, then takes in the rest", async () => {
    const { fake, tokens } = grown(81);
    let searching = false;
    fake.setFaults((method, [filter]) => {
      const isSearch = method === "eth_getLogs" && Object.hasOwn(filter as object, "fromBlock");
      return isSearch && !searching ? "error" : undefined;
    });
    following = await follow(fake, { tokens, searchAtOnce: 50n, auditedPerBlock: 2 });
    await following.until(() => following!.published.length > 0);
    expect(following.published[0]!.sources.get("Fake_V2")!.pools).toBe(LISTED);
    await mine(fake, 5);
    expect(following.chain.status().pools).toBe(LISTED + 1);
    expect(following.chain.status().phase).toBe("following");
    searching = true;
    await fake.clock.advance(30_000);
    await mine(fake, 3);
    await following.caughtUp();
    expect(following.chain.status().pools).toBe(fake.head.pairs.size + 1);
    expect(following.chain.status().discovery).toBeUndefined();
    expect(following.published.at(-1)!.sources.get("Fake_V2")!.pools).toBe(fake.head.pairs.size);
    expect(falsehoods(following)).toEqual([]);
    expect(following.chain.status().audit.mismatched).toBe(0);
  });

  it("goes on with the search where a stopped one has left off, beside the following", async () => {
    const { fake, tokens } = grown(82);
    fake.setFaults((method, [filter]) => {
      return method === "eth_getLogs" && Object.hasOwn(filter as object, "fromBlock") ? "error" : undefined;
    });
    following = await follow(fake, { tokens, searchAtOnce: 50n, dataDir: folder });
    await mine(fake, 40);
    await following.stop();
    fake.setFaults(undefined);
    await mine(fake, 20);
    following = await follow(fake, { tokens, searchAtOnce: 50n, dataDir: folder });
    await following.until(() => following!.published.length > 0);
    await mine(fake, 10);
    await following.caughtUp();
    expect(following.chain.status().pools).toBe(fake.head.pairs.size + 1);
    expect(falsehoods(following)).toEqual([]);
  });

  it("pools that were taken in are right again when the blocks are gone that they were read at", async () => {
    const { fake, tokens } = grown(83);
    following = await follow(fake, { tokens, searchAtOnce: 50n, auditedPerBlock: 4 });
    await following.until(() => following!.published.length > 0);
    for (let round = 0; round < 12; round++) {
      await mine(fake, 2);
      fake.reorganize(1 + (round % 9), 2 + (round % 9));
      await fake.clock.advance(BLOCK_MS);
    }
    await mine(fake, 3);
    await following.caughtUp();
    expect(following.chain.status().pools).toBe(fake.head.pairs.size + 1);
    expect(falsehoods(following)).toEqual([]);
    expect(following.chain.status().audit.mismatched).toBe(0);
  });

  it("lets small pools sleep until one of their tokens is asked for, also after a restart", async () => {
    const { fake, tokens } = grown(85, true);
    const options = { tokens, searchAtOnce: 50n, dataDir: folder, auditedPerBlock: 4 };
    following = await follow(fake, options);
    await following.until(() => following!.published.length > 0);
    await mine(fake, 30);
    await following.caughtUp();
    const { pools, asleep, audit } = following.chain.status();
    expect(pools).toBe(fake.head.pairs.size + 1);
    expect(asleep).toBeGreaterThan(5);
    expect(following.published.at(-1)!.sources.get("Fake_V2")).toMatchObject({
      pools: fake.head.pairs.size - asleep,
      asleep,
    });
    const graph = () => following!.published.at(-1)!.graph;
    const sleeping = () => [...fake.head.pairs].filter(([id]) => graph().pool(id) === undefined);
    const [id, pair] = sleeping()[0]!;
    const token = pair.tokens.find((held) => held !== fake.record.wrappedNative)!;
    void following.chain.registry.find(token);
    await mine(fake, 2);
    await following.caughtUp();
    expect(graph().pool(id)).toMatchObject({ state: { reserves: fake.head.pairs.get(id)!.reserves } });
    expect(following.chain.status().asleep).toBe(asleep - 1);
    expect(following.chain.market.sources().get("Fake_V2")!.asleep).toBe(asleep - 1);
    fake.reorganize(6, 7);
    await mine(fake, 12);
    await following.caughtUp();
    expect(graph().pool(id)).toBeDefined();
    expect(falsehoods(following)).toEqual([]);
    expect(audit.mismatched).toBe(0);

    // Deeper than the undo ring: everything that is awake is read anew.
    for (let block = 0; block < 140; block++) fake.mine({ trades: 1 });
    await following.caughtUp();
    const [aside] = sleeping()[0]!;
    following.chain.quarantine(aside, "it is not understood");
    fake.reorganize(133, 134);
    await mine(fake, 25);
    await following.caughtUp();
    expect(following.chain.status().resyncs).toBeGreaterThan(0);
    expect(following.chain.status().quarantined.has(aside)).toBe(true);
    // Some of the pairs of the new branch are small as well.
    const asleepNow = following.chain.status().asleep;
    expect(asleepNow).toBeGreaterThanOrEqual(asleep - 1);
    expect(sleeping().length).toBe(asleepNow);
    expect(graph().pool(id)).toBeDefined();
    expect(falsehoods(following)).toEqual([]);

    await following.stop();
    const pairsBefore = fake.head.pairs.size;
    following = await follow(fake, options);
    await following.until(() => following!.published.length > 0);
    expect(following.chain.status().asleep).toBe(asleepNow);
    expect(sleeping().length).toBe(asleepNow);
    expect(following.chain.status().pools).toBe(pairsBefore + 1);
    expect(falsehoods(following)).toEqual([]);
  });

  it("still knows its pools when it has fallen too far behind", async () => {
    const { fake, tokens } = grown(89);
    following = await follow(fake, { tokens, searchAtOnce: 50n, auditedPerBlock: 0 });
    await following.until(() => following!.published.length > 0);
    await mine(fake, 10);
    await following.caughtUp();
    const searched = countSearches(fake);
    for (let block = 0; block < 400; block++) fake.mine({ trades: 1, pairs: block === 200 ? 1 : 0 });
    await following.caughtUp();
    expect(following.chain.status().resyncs).toBe(1);
    expect(following.published.at(-1)!.sources.get("Fake_V2")!.pools).toBe(fake.head.pairs.size);
    expect(searched()).toBe(0);
    await mine(fake, 3);
    await following.caughtUp();
    expect(falsehoods(following)).toEqual([]);
  });

  it("still knows its pools when it was refused so often that it begins anew, and reads them all", async () => {
    const { fake, tokens } = grown(90);
    const options = { tokens, searchAtOnce: 50n, auditedPerBlock: 0, dataDir: folder };
    following = await followAgain(fake, options);
    const { chain, published } = following;
    fake.setFaults(() => "error");
    await following.until(() => chain.status().resyncs === 1);
    const before = published.length;
    const read = new Set<Address>();
    fake.setFaults((method, [call]) => {
      if (method === "eth_call") read.add(toOf(call));
      return undefined;
    });
    await following.caughtUp();
    expect(published[before]!.sources.get("Fake_V2")!.pools).toBe(fake.head.pairs.size);
    for (const pair of fake.head.pairs.keys()) expect(read.has(pair), pair).toBe(true);
    expect(following.wrong).toEqual([]);
  });

  it("still knows its pools when the way from where they were known cannot be read any more", async () => {
    const { fake, tokens } = grown(91);
    let unreadable: unknown;
    const provider: Provider = {
      ...fake.provider,
      async request(method, params, limits) {
        const [filter] = params as [{ readonly blockHash?: unknown } | undefined];
        const answer = await fake.provider.request(method, params, limits);
        if (unreadable !== undefined && filter?.blockHash === unreadable) throw new RpcError(-32000, "no such logs");
        return answer;
      },
    };
    const options = { tokens, searchAtOnce: 50n, auditedPerBlock: 0, dataDir: folder, providers: [provider] };
    following = await followAgain(fake, options);
    const { chain, published } = following;
    unreadable = fake.mine({ trades: 3 }).hash;
    await following.until(() => chain.status().resyncs === 1);
    const before = published.length;
    await mine(fake, 40);
    await following.caughtUp();
    expect(published[before]!.sources.get("Fake_V2")!.pools).toBe(fake.head.pairs.size);
    expect(following.wrong).toEqual([]);
  });

  it("waits for a search that is short", async () => {
    const { fake, tokens } = grown(84);
    following = await follow(fake, { tokens });
    await following.until(() => following!.published.length > 0);
    expect(following.published[0]!.sources.get("Fake_V2")!.pools).toBe(fake.head.pairs.size);
    expect(following.wrong).toEqual([]);
  });

  it("takes in what was found while the node could not be asked about it", async () => {
    const { fake, tokens } = grown(86);
    following = await follow(fake, { tokens, searchAtOnce: 50n, auditedPerBlock: 0 });
    const { chain } = following;
    const listed = [...fake.head.pairs.keys()].slice(0, LISTED);
    let refused = 0;
    fake.setFaults((method, [call]) => {
      const isOfFound = method === "eth_call" && fake.head.pairs.has(toOf(call)) && !listed.includes(toOf(call));
      return isOfFound && refused++ < 3 ? "error" : undefined;
    });
    await following.until(() => refused >= 3);
    await mine(fake, 10);
    await following.caughtUp();
    expect(chain.status().resyncs).toBe(0);
    expect(chain.status().discovery).toBeUndefined();
    expect(chain.status().pools).toBe(fake.head.pairs.size + 1);
  });

  it("lets no pool sleep that much can be bought from, however early it was found", async () => {
    const { fake, tokens } = grown(85, true);
    following = await follow(fake, { tokens, searchAtOnce: 50n, auditedPerBlock: 1 });
    const { chain } = following;
    await following.until(() => following!.published.length > 0);
    await mine(fake, 3);
    await following.caughtUp();
    const graph = following.published.at(-1)!.graph;
    const sleeping = [...fake.head.pairs].filter(([id]) => graph.pool(id) === undefined);
    expect(sleeping.length).toBe(chain.status().asleep);
    expect(sleeping.length).toBeGreaterThan(5);
    for (const [, { reserves }] of sleeping) expect(reserves[0]).toBeLessThan(10n ** 17n);

    const { compared } = chain.status().audit;
    for (let block = 0; block < 10; block++) {
      fake.mine({ trades: 0 });
      await fake.clock.advance(BLOCK_MS);
    }
    await following.caughtUp();
    expect(chain.status().audit.compared - compared).toBeGreaterThanOrEqual(9);
  });

  it("keeps the pools of listed tokens awake, however small, while others sleep", async () => {
    const { fake, tokens } = grown(85, true);
    following = await follow(fake, { tokens, searchAtOnce: 50n, auditedPerBlock: 0 });
    await following.until(() => following!.published.length > 0);
    await mine(fake, 30);
    await following.caughtUp();
    expect(following.chain.status().asleep).toBeGreaterThan(0);
    for (const { graph } of following.published)
      for (const { address } of tokens) expect(graph.poolsOf(address)).toHaveLength(1);
    expect(falsehoods(following)).toEqual([]);
  });

  it("wakes the pools of a token that is asked for while others are being woken", async () => {
    const { fake, tokens } = grown(85, true);
    following = await follow(fake, { tokens, searchAtOnce: 50n, auditedPerBlock: 0 });
    const { chain } = following;
    await following.until(() => following!.published.length > 0);
    await mine(fake, 30);
    await following.caughtUp();
    const graph = () => following!.published.at(-1)!.graph;
    const sleeping = [...fake.head.pairs].filter(([id]) => graph().pool(id) === undefined);
    const [first, second] = sleeping.map(([, pair]) => pair.tokens.find((held) => held !== fake.record.wrappedNative)!);
    const before = chain.status().asleep;
    void chain.registry.find(first!);
    let asked = false;
    fake.setFaults((method, [call]) => {
      if (method === "eth_call" && toOf(call) === sleeping[0]![0] && !asked) {
        asked = true;
        void chain.registry.find(second!);
      }
      return undefined;
    });
    await mine(fake, 4);
    await following.caughtUp();
    expect(asked).toBe(true);
    expect(chain.status().asleep).toBe(before - 2);
  });

  it("does not go on reading when it is stopped", async () => {
    const { fake, tokens } = grown(88);
    const stopped = await follow(fake, { tokens });
    expect(stopped.chain.status().phase).toBe("syncing");
    const before = fake.requests();
    await stopped.stop();
    expect(fake.requests()).toBe(before);
  });

  it("leaves nothing running when it is stopped before it has begun to follow", async () => {
    const { fake, tokens } = grown(87);
    const { clock } = fake;
    const stopped = await follow(fake, { tokens, searchAtOnce: 50n });
    fake.setFaults((method, [filter]) => {
      return method === "eth_getLogs" && Object.hasOwn(filter as object, "fromBlock") ? "error" : undefined;
    });
    expect(stopped.chain.status().phase).toBe("syncing");
    await stopped.stop();
    await clock.advance(60_000);
    expect(clock.waiting()).toBe(0);
  });
});
