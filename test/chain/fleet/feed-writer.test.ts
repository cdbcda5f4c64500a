import { afterEach, expect, it } from "vitest";
import { FeedWriter } from "../../../src/chain/fleet/feed-writer.ts";
import type { Found } from "../../../src/chain/pools/found-pools.ts";
import { systemClock } from "../../../src/chain/rpc/clock.ts";
import type { FeedState } from "../../../src/market/feed/feed-state.ts";
import type { LiquiditySource } from "../../../src/market/liquidity-source.ts";
import { CatalogFault } from "../../../src/market/pool-catalog.ts";
import type { Snapshot } from "../../../src/market/snapshot.ts";
import { createLogger } from "../../../src/ops/logger.ts";
import { decodeEntry, type PoolsFound } from "../../../src/snapshot/fleet-codec.ts";
import { tokenAt } from "../../market/pairs.ts";

const source = { id: "Test" } as LiquiditySource;
const block = { number: 7n, hash: "0x07", parentHash: "0x06", timestamp: 1_000n } as const;
const snapshot = { block, graph: {}, sources: new Map() } as unknown as Snapshot;
const stateAt = (sequence: number) => ({ sequence, market: snapshot }) as Partial<FeedState> as FeedState;

function poolAt(index: number): Found {
  return { source, ref: { id: `p${index}`, address: tokenAt(index), tokens: [tokenAt(0), tokenAt(1)], terms: {} } };
}

let stop: () => void;
afterEach(() => stop());

/** A writer of one state. `tracked` is followed, and `asleep` is in a catalog that fails while `isFailing`. */
function startWriter(world: { tracked: Found[]; asleep: Found[]; isFailing: boolean }) {
  let aheadMs = 0;
  let sequence = 1;
  let update = () => {};
  const wholes: PoolsFound[][] = [];
  const told: PoolsFound[] = [];
  const errors: string[] = [];
  const foundIn = (entries: readonly Uint8Array[]) => entries.flatMap((bytes) => decodeEntry(bytes).found ?? []);
  const logger = createLogger("silent");
  logger.error = (_: unknown, message?: string) => void errors.push(String(message));
  const writer = new FeedWriter(1, {
    shared: {
      append: async (_token, entry) => `${told.push(...foundIn([entry]))}`,
      keepWhole: async (_token, entries) => void wholes.push(foundIn(entries)),
    },
    feed: {
      follow(listener) {
        const take = (from: number) => listener(new Uint8Array([1]), { state: stateAt(sequence), from, isLast: true });
        setImmediate(take, 0);
        if (sequence === 1) update = () => take(sequence++);
        return () => {};
      },
    },
    renew: () => {},
    follower: {
      *known() {
        yield* world.tracked;
        if (world.isFailing) throw new CatalogFault(new Error("it is damaged"));
        yield* world.asleep;
      },
      searchLeft: () => [{ sources: ["Test"], next: 1n, to: 2n }],
      unserved: () => [],
    },
    market: { current: () => ({ snapshot }), silentMs: () => 0, deepSince: () => [] } as never,
    ...{ sources: [source], isOff: () => false, logger },
    clock: { ...systemClock, elapsed: () => performance.now() + aheadMs },
  });
  stop = () => writer.stop();
  writer.note(snapshot);
  return {
    ...{ wholes, told, errors },
    /** Half a minute later it tells what was found since. */
    later() {
      aheadMs += 31_000;
    },
    /** So late that a whole state is kept again. */
    muchLater() {
      aheadMs += 301_000;
      update();
    },
  };
}

const idsOf = (found: readonly PoolsFound[]) => found.flatMap(({ pools }) => pools.map(({ ref }) => ref.id));

it("tells what is followed while the catalog fails, and that the rest has to be searched, until it can tell all", async () => {
  const world = { tracked: [poolAt(0), poolAt(1)], asleep: [poolAt(2)], isFailing: true };
  const writer = startWriter(world);
  await expect.poll(() => writer.wholes.length).toBe(1);
  expect(idsOf(writer.wholes[0]!)).toEqual(["p0", "p1"]);
  // The next leader takes no source for searched, and so finds what is missing.
  expect(writer.wholes[0]!.at(-1)).toMatchObject({ sources: [], searches: [] });

  world.tracked.push(poolAt(3));
  writer.later();
  await expect.poll(() => writer.told.length).toBe(1);
  expect(idsOf(writer.told)).toEqual(["p3"]);
  expect(writer.told.at(-1)).toMatchObject({ sources: [], searches: [] });

  world.isFailing = false;
  writer.later();
  await expect.poll(() => writer.told.length).toBe(2);
  expect(idsOf(writer.told)).toEqual(["p3", "p2"]);
  expect(writer.told.at(-1)).toMatchObject({ sources: ["Test"], searches: [{ next: 1n, to: 2n }] });
  expect([writer.wholes.length, writer.errors.length]).toEqual([1, 1]);
});

it("tells those who follow what was found since, though a whole state was kept meanwhile", async () => {
  const world = { tracked: [poolAt(0)], asleep: [], isFailing: false };
  const writer = startWriter(world);
  await expect.poll(() => writer.wholes.length).toBe(1);
  world.tracked.push(poolAt(1));
  writer.muchLater();
  await expect.poll(() => writer.wholes.length).toBe(2);
  expect(idsOf(writer.wholes[1]!)).toEqual(["p0", "p1"]);
  writer.later();
  await expect.poll(() => idsOf(writer.told)).toEqual(["p1"]);
});
