import { expect, it } from "vitest";
import { createFakeChain } from "../../../fixtures/chain/fake-chain.ts";
import { createUndoBackfill } from "../../../src/chain/blocks/backfill-undo.ts";
import { createBlocks } from "../../../src/chain/blocks/blocks.ts";
import { bloomEntriesOf } from "../../../src/chain/pools/found-pools.ts";
import { startPoolTracker } from "../../../src/chain/pools/tracker-of-blocks.ts";
import { systemClock } from "../../../src/chain/rpc/clock.ts";
import { createChainReader } from "../../../src/chain/rpc/reader.ts";
import { discover } from "../../../src/chain/search/discovery.ts";
import type { Hex } from "../../../src/domain/address.ts";
import { createPoolStore } from "../../../src/market/pool-store.ts";
import { createSources } from "../../../src/venues/index.ts";

const RING = 40;
const BLOCKS = 100;

/** A tracker that was started at the head of a chain of 100 blocks, in each of which one pair of some changed. */
async function started(seed: number, ringSize = RING) {
  const fake = createFakeChain({ seed, pairs: 30 });
  for (let block = 0; block < BLOCKS; block++) fake.mine({ trades: 1, pairs: block % 10 === 0 ? 1 : 0 });
  const { provider, record } = fake;
  const sources = createSources(record);
  const topics = bloomEntriesOf(sources);
  const blocks = createBlocks(provider, record);
  const reader = createChainReader(provider, record);
  const base = await blocks.latest();
  const store = createPoolStore();
  const found = await discover({ reader, sources, record, to: base, clock: systemClock, headerOf: blocks.byNumber });
  const pools = await startPoolTracker({ reader, store, sources, found, base, ringSize, clock: systemClock });
  const undoBackfill = createUndoBackfill(blocks);
  return {
    ...{ fake, pools, blocks, topics, base },
    async backfill() {
      undoBackfill.backfill(pools, topics);
      await undoBackfill.settled();
    },
    /** Pairs of a block, by whether the tracker has each as that block left it, has no state of it, or another. */
    heldOf(hash: Hex) {
      const pairs = [...fake.block(hash)!.pairs];
      const held = ([id]: (typeof pairs)[number]) =>
        (store.get(id)?.state as { readonly reserves: readonly bigint[] } | undefined)?.reserves;
      return {
        right: pairs.filter((pair) => held(pair)?.join() === pair[1].reserves.join()).map(([id]) => id),
        unknown: pairs.filter((pair) => held(pair) === undefined).map(([id]) => id),
        all: pairs.map(([id]) => id),
      };
    },
  };
}

it("an undo history that begins at the head grows until the ring is full, and no further than the first block", async () => {
  const { pools, backfill, fake } = await started(1);
  const lengths: bigint[] = [];
  for (let time = 0; time < 5; time++) {
    await backfill();
    lengths.push(pools.tip.number - pools.oldest.number);
  }
  expect(lengths).toEqual([16n, 32n, 40n, 40n, 40n]);
  for (const number of [60n, 70n, 100n]) expect(fake.block(pools.hashAt(number)!)?.number).toBe(number);
  expect(pools.hashAt(59n)).toBeUndefined();

  const wide = await started(1, 500);
  for (let time = 0; time < 10; time++) await wide.backfill();
  expect(wide.pools.oldest.number).toBe(0n);
});

it("below the block that was read at, what did not change since is kept, and what did is to be read anew", async () => {
  const { pools, backfill, heldOf, fake } = await started(2);
  for (let time = 0; time < 3; time++) await backfill();
  const hash = pools.hashAt(75n)!;
  const announced = pools.ids().length;
  const saved = pools.stateAt(75n, new Set())!.pools;
  const doubtful = pools.unwindTo(hash);
  const { right, unknown, all } = heldOf(hash);
  // No pair is as a later block left it.
  expect([...right, ...unknown].sort()).toEqual([...all].sort());
  expect([...doubtful].sort()).toEqual([...unknown].sort());
  expect(right.length).toBeGreaterThan(5);
  expect(unknown.length).toBeGreaterThan(5);
  // The two that were announced later are no pools any more.
  expect(fake.head.pairs.size - all.length).toBe(2);
  expect(pools.ids().length).toBe(announced - 2);
  // The state kept of that block for another run is equal.
  expect(saved.map(({ ref }) => ref.id).sort()).toEqual([...pools.ids()].sort());
  const pairs = new Set<string>(all);
  const kept = saved.flatMap(({ ref, pool }) => (pool !== undefined && pairs.has(ref.id) ? [ref.id] : []));
  expect(kept.sort()).toEqual([...right].sort());

  await pools.resync(doubtful);
  expect(heldOf(hash).right.length).toBe(all.length);
});

it("what the node does not give, or gives of another chain, ends it until there is another head", async () => {
  const { fake, pools, blocks, topics, backfill } = await started(3);
  const length = () => pools.tip.number - pools.oldest.number;
  fake.setFaults((method) => (method === "eth_getLogs" ? "emptyLogs" : undefined));
  await backfill();
  fake.setFaults(undefined);
  await backfill();
  expect(length()).toBe(0n);
  fake.mine({ trades: 1 });
  const header = await blocks.latest();
  await pools.apply(header, await blocks.logs(header, topics));
  await backfill();
  expect(length()).toBe(17n);
  // Another branch takes the place of the blocks that it would go on with.
  fake.reorganize(25, 26);
  await backfill();
  expect(length()).toBe(17n);
});
