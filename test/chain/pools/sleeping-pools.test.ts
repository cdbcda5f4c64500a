import { afterEach, describe, expect, it } from "vitest";
import { createFakeChain } from "../../../fixtures/chain/fake-chain.ts";
import { createBlocks } from "../../../src/chain/blocks/blocks.ts";
import { createCatalogInMemory } from "../../../src/chain/pools/catalog-in-memory.ts";
import { bloomEntriesOf } from "../../../src/chain/pools/found-pools.ts";
import { readFound } from "../../../src/chain/pools/read-pools.ts";
import { startPoolTracker } from "../../../src/chain/pools/tracker-of-blocks.ts";
import { createDemand } from "../../../src/chain/pools/wake-pools.ts";
import { systemClock } from "../../../src/chain/rpc/clock.ts";
import { createChainReader } from "../../../src/chain/rpc/reader.ts";
import { createPoolStore } from "../../../src/market/pool-store.ts";
import { createSources } from "../../../src/venues/index.ts";
import { pair, tokenAt } from "../../market/pairs.ts";
import { createTimedChain, type Following, follow } from "../blocks/following.ts";

/** A tracker that is to let the only pair of a fake chain sleep, knowing it or not. */
async function start(known: boolean) {
  const fake = createFakeChain({ seed: 7, pairs: 1 });
  const { provider, record } = fake;
  const sources = createSources(record);
  const blocks = createBlocks(provider, record);
  const store = createPoolStore();
  const [id, { tokens }] = [...fake.head.pairs][0]!;
  const pair = { ref: { id, address: id, tokens, terms: {} }, source: sources.find((it) => it.id === "Fake_V2")! };
  const reader = createChainReader(provider, record);
  const tracker = await startPoolTracker({
    ...{ reader, store, sources, clock: systemClock, ringSize: 8 },
    ...{ base: await blocks.latest(), found: known ? [pair] : [], asleep: new Set([id]) },
  });
  return {
    ...{ tracker, pair, id, tokens, reader },
    /** The pair's reserves, here and on the chain, after a block that trades in it. */
    async trade() {
      fake.mine({ trades: 1 });
      const header = await blocks.latest();
      await tracker.apply(header, await blocks.logs(header, bloomEntriesOf(sources)));
      const state = store.get(id)?.state as { readonly reserves: readonly bigint[] } | undefined;
      return { held: state?.reserves, told: fake.head.pairs.get(id)!.reserves };
    },
  };
}

it("a pool sleeps until it is woken, and is counted for its source", async () => {
  const { tracker, trade, id, tokens } = await start(true);
  expect(tracker.asleep.count("Fake_V2")).toBe(1);
  expect(tracker.asleep.with(tokens[0], 9)).toEqual([id]);
  await tracker.sleep([id]);
  expect(tracker.asleep.count("Fake_V2")).toBe(1);
  expect((await trade()).held).toBeUndefined();
  await tracker.wake([id]);
  expect(tracker.asleep.count("Fake_V2")).toBe(0);
  expect(tracker.asleep.with(tokens[0], 9)).toEqual([]);
  expect(tracker.asleep.size).toBe(0);
  const { held, told } = await trade();
  expect(held).toEqual(told);
});

it("a pool that is found again after it was forgotten in its sleep is followed like any other", async () => {
  const { tracker, pair, trade, reader } = await start(false);
  expect(tracker.asleep.size).toBe(0);
  const state = await readFound({ reader }, [pair], tracker.tip);
  expect(tracker.adopt({ found: [pair], states: state, told: new Map(), since: [] })).toEqual([]);
  const { held, told } = await trade();
  expect(held).toEqual(told);
});

it("a token that nearly all pools hold keeps no more of them awake than its asking would wake", async () => {
  const [hub, rare] = [tokenAt(0), tokenAt(1)];
  const pools = Array.from({ length: 200 }, (_, index) =>
    pair(`${index}`, hub, tokenAt(index < 199 ? index + 2 : 1), 1n, 1n),
  );
  const byId = new Map(pools.map((pool) => [pool.id, pool]));
  const store = { ...createPoolStore(), get: (id: string) => byId.get(id) };
  const demand = createDemand({ pools: store, depthOf: () => 0n });
  for (const token of [hub, rare]) demand.want(token);
  const asleep: string[] = [];
  for (const { id } of pools) await demand.sleepSmall({ sleep: async (ids) => void asleep.push(...ids) }, [id]);
  expect(asleep.length).toBe(pools.length - 64 - 1);
  expect(asleep).not.toContain("199");
});

it("a pool that has grown wakes once both of its tokens were asked for, however many pools hold each", async () => {
  const [first, second, third] = [tokenAt(0), tokenAt(1), tokenAt(2)];
  const asleep = createCatalogInMemory();
  const pools = [pair("between", first, second, 1n, 1n), pair("other", first, third, 1n, 1n)];
  for (let index = 0; index < 3_000; index++)
    pools.push(pair(`${index}`, index % 2 ? first : second, tokenAt(9 + index), 1n, 1n));
  for (const { id, tokens } of pools)
    asleep.add([{ source: "Test", ref: { id, address: tokenAt(3), tokens, terms: {} } }]);
  const depths = new Map([["other", 10n ** 18n]]);
  const demand = createDemand({ pools: createPoolStore(), depthOf: ({ id }) => depths.get(id) });
  const peeked: string[] = [];
  const woken: string[] = [];
  const tracker = {
    asleep,
    async peek(ids: readonly string[]) {
      peeked.push(...ids);
      return pools.filter(({ id }) => ids.includes(id));
    },
    async wake(ids: readonly string[]) {
      woken.push(...ids);
    },
  };
  const round = async () => {
    const grown: boolean[] = [];
    for (let block = 0; block < 8; block++) grown.push(await demand.wakeGrown(tracker));
    return grown.some(Boolean);
  };
  demand.want(first);
  expect(await round()).toBe(false);
  demand.want(second);
  expect(await round()).toBe(false);
  expect(peeked).toEqual(["between"]);
  depths.set("between", 10n ** 18n);
  expect(await round()).toBe(true);
  expect(woken).toEqual(["between"]);
});

it("what is near a pool's price tells whether it is read whole, and a token asked for meanwhile wakes it", async () => {
  const [shallow, deep, wanted] = [0, 1, 2].map((index) => pair(`${index}`, tokenAt(index), tokenAt(9), 1n, 1n));
  const pools = [shallow!, deep!, wanted!];
  const read: string[] = [];
  const answer = async (_: unknown, refs: readonly { readonly id: string }[]) =>
    pools.filter(({ id }) => refs.some((ref) => ref.id === id));
  const source = {
    ...createSources(createFakeChain({ seed: 7, pairs: 1 }).record)[0]!,
    near: answer,
    sync: async (chain: unknown, refs: readonly { readonly id: string }[]) => {
      read.push(...refs.map(({ id }) => id));
      return answer(chain, refs);
    },
  };
  const found = pools.map(({ id, tokens }) => ({ source, ref: { id, address: tokenAt(99), tokens, terms: {} } }));
  const demand = createDemand({ pools: createPoolStore(), depthOf: ({ id }) => (id === "1" ? 10n ** 18n : 0n) });
  demand.want(tokenAt(2));
  const isWorthReading = demand.isWorthReading.bind(demand);
  const at = { number: 1n, hash: "0x01", parentHash: "0x00", timestamp: 1n } as const;
  const states = await readFound({ reader: {} as never, isWorthReading }, found, at);
  expect(read).toEqual(["1", "2"]);
  expect([...states].map(([id, state]) => [id, state?.id])).toEqual([
    ["0", undefined],
    ["1", "1"],
    ["2", "2"],
  ]);

  const asleep = createCatalogInMemory();
  asleep.add([{ source: source.id, ref: found[0]!.ref }]);
  const woken: string[] = [];
  const tracker = { asleep, wake: async (ids: readonly string[]) => void woken.push(...ids) };
  demand.want(tokenAt(0));
  asleep.wake(["0"]);
  await demand.wake(tracker);
  asleep.add([{ source: source.id, ref: found[0]!.ref }]);
  expect(await demand.wake(tracker)).toBe(false);
  demand.noteSlept([found[0]!]);
  expect(await demand.wake(tracker)).toBe(true);
  expect(woken).toEqual(["0"]);
});

it("who asks for any addresses keeps nobody from asking for tokens", async () => {
  const token = tokenAt(1);
  const pool = pair("small", token, tokenAt(2), 1n, 1n);
  const demand = createDemand({ pools: { ...createPoolStore(), get: () => pool }, depthOf: () => 0n });
  for (let index = 0; index < 10_000; index++) demand.want(tokenAt(100 + index));
  demand.want(token);
  const asleep: string[] = [];
  await demand.sleepSmall({ sleep: async (ids) => void asleep.push(...ids) }, [pool.id]);
  expect(asleep).toEqual([]);
});

it("no more pools are woken with one step than are read in no time, and the rest with the next", async () => {
  const asleep = createCatalogInMemory();
  const tokens = Array.from({ length: 6 }, (_, index) => tokenAt(index));
  for (let index = 0; index < 60; index++)
    asleep.add([
      {
        source: "Test",
        ref: {
          id: `${index}`,
          address: tokenAt(99),
          tokens: [tokens[index % 6]!, tokenAt(9 + index)],
          terms: {},
        },
      },
    ]);
  const demand = createDemand({ pools: createPoolStore(), depthOf: () => 0n });
  const woken: number[] = [];
  const tracker = {
    asleep,
    async wake(ids: readonly string[]) {
      woken.push(ids.length);
      asleep.wake(ids);
    },
  };
  for (const token of tokens.slice(0, 5)) demand.want(token);
  while (await demand.wake(tracker));
  expect(woken).toEqual([16, 16, 16, 2]);
  expect(asleep.size).toBe(10);
});

describe("pools that are announced while the chain is followed", () => {
  let following: Following | undefined;
  afterEach(async () => {
    await following?.stop();
    following = undefined;
  });

  const follows = async (seed: number, newest = 0) => {
    const fake = createTimedChain({ seed, dust: true });
    for (let block = 0; block < 30; block++) fake.mine();
    fake.mine({ pairs: newest });
    following = await follow(fake, { auditedPerBlock: 4 });
    await following.caughtUp();
    const { chain, published, caughtUp, wrong } = following;
    const graph = () => published.at(-1)!.graph;
    return {
      ...{ fake, chain, graph },
      sleeping: () => [...fake.head.pairs].filter(([id]) => graph().pool(id) === undefined),
      falsehoods: () => wrong.filter((text) => text.includes("other reserves")),
      async mine(blocks: number, pairs: number) {
        for (let block = 0; block < blocks; block++) fake.mine({ pairs });
        await caughtUp();
      },
    };
  };

  it("sleep, if they are small, once they are as old as the way back is long", async () => {
    const { fake, chain, graph, sleeping, mine, falsehoods } = await follows(31);
    await mine(30, 1);
    expect(sleeping()).toEqual([]);
    await mine(90, 0);
    expect(chain.status().asleep).toBe(0);
    await mine(60, 0);
    const small = sleeping();
    expect(small.length).toBeGreaterThan(5);
    expect(chain.status().asleep).toBe(small.length);
    for (const [, { reserves }] of small) expect(reserves[0]).toBeLessThan(10n ** 17n);
    const [id, { tokens }] = small[0]!;
    void chain.registry.find(tokens.find((token) => token !== fake.record.wrappedNative)!);
    await mine(1, 0);
    await mine(1, 0);
    expect(graph().pool(id)).toMatchObject({ state: { reserves: fake.head.pairs.get(id)!.reserves } });
    expect(falsehoods()).toEqual([]);
    expect(chain.status().audit.mismatched).toBe(0);
  });

  it("are read all, however many, where the chain is not followed yet", async () => {
    const { chain, sleeping } = await follows(33, 40);
    expect(chain.status().asleep).toBe(0);
    expect(sleeping()).toEqual([]);
  });

  it("sleep from the first where one block has very many of them, until they are asked for", async () => {
    const { fake, chain, sleeping, mine, falsehoods } = await follows(32);
    await mine(1, 40);
    expect(chain.status().asleep).toBe(32);
    expect(sleeping().length).toBe(32);
    fake.reorganize(1, 2);
    await mine(1, 0);
    expect(chain.status().asleep).toBe(0);
    await mine(1, 40);
    for (const [, { tokens }] of sleeping()) for (const token of tokens) void chain.registry.find(token);
    for (let block = 0; block < 6; block++) await mine(1, 0);
    expect(sleeping()).toEqual([]);
    expect(falsehoods()).toEqual([]);
    expect(chain.status().audit.mismatched).toBe(0);
  });
});
