import { expect, it } from "vitest";
import { startPoolTracker } from "../../../src/chain/pools/tracker-of-blocks.ts";
import { systemClock } from "../../../src/chain/rpc/clock.ts";
import type { Header } from "../../../src/chain/rpc/codec.ts";
import { type Hex, toAddress } from "../../../src/domain/address.ts";
import type { ChainReader, Log } from "../../../src/market/chain-reader.ts";
import type { LiquiditySource } from "../../../src/market/liquidity-source.ts";
import { createPoolStore } from "../../../src/market/pool-store.ts";
import type { Pool } from "../../../src/pools/pool.ts";

const reader: ChainReader = { calls: async () => [], logs: async () => [] };
const address = (digit: number) => toAddress(`0x${String(digit).repeat(40)}`);
const hash = (number: bigint): Hex => `0x${number.toString(16).padStart(64, "0")}`;
const LOG_TOPIC = hash(99n);

function header(number: bigint): Header {
  const bloom: Hex = `0x${"0".repeat(512)}`;
  return { number, hash: hash(number), parentHash: hash(number - 1n), timestamp: number, logsBloom: bloom } as Header;
}

/** A pool whose rate is the number of the block, and which block 3 cannot read. */
function pool(id: Pool["id"], gas: bigint): Pool {
  return { id, source: "Rates", tokens: [address(8), address(9)], curve: "fixed-rate", state: { gas } };
}

function rates(asked: string[][]): LiquiditySource {
  const refs = [address(1), address(2)].map((at) => ({ id: at, address: at, tokens: [], terms: {} }));
  return {
    ...{ id: "Rates", kind: "wrapper", exactOut: true, assurance: "modelled", stateTopics: [LOG_TOPIC] },
    fixed: () => refs,
    sync: async (_chain, wanted, at) => wanted.map(({ id }) => pool(id, at.number)),
    refresh: async (_chain, pools, at) => {
      asked.push(pools.map(({ id }) => id));
      if (at.number === 2n) return pools;
      return pools.filter(({ id }) => at.number !== 3n || id === address(1)).map(({ id }) => pool(id, at.number));
    },
    apply: () => "resync",
    action: () => ({ action: "wrapped-native", wrapped: address(1) }),
    fillData: () => ({}),
  };
}

it("what moves without a log is read for every block, and taken back with it", async () => {
  const asked: string[][] = [];
  const source = rates(asked);
  const store = createPoolStore();
  const found = source.fixed!().map((ref) => ({ ref, source }));
  const tracker = await startPoolTracker({
    ...{ reader, store, sources: [source], found, base: header(0n), ringSize: 8, clock: systemClock },
  });
  const gas = () => [address(1), address(2)].map((id) => (store.get(id)?.state as { gas: bigint } | undefined)?.gas);
  expect(gas()).toEqual([0n, 0n]);

  const next = async (number: bigint, logs: readonly Log[] = []) => {
    await tracker.apply(header(number), logs);
    await tracker.freshen();
  };
  await next(1n);
  expect(gas()).toEqual([1n, 1n]);
  await next(2n);
  expect(gas()).toEqual([1n, 1n]);
  expect(tracker.changed()).toEqual([]);
  await next(3n);
  expect(gas()).toEqual([3n, undefined]);
  await next(4n);
  expect(gas()).toEqual([4n, 4n]);
  tracker.unwindTo(hash(3n));
  expect(gas()).toEqual([3n, undefined]);
  tracker.unwindTo(hash(1n));
  expect(gas()).toEqual([1n, 1n]);

  // A pool that its own log has had read anew at this block is not asked for again.
  const log: Log = {
    ...{ address: address(2), topics: [LOG_TOPIC], data: "0x", blockHash: hash(2n), blockNumber: 2n, logIndex: 0 },
  };
  await next(2n, [log]);
  expect(gas()).toEqual([1n, 2n]);
  const both = [address(1), address(2)];
  expect(asked).toEqual([both, both, both, [address(1)], [address(1)]]);
});

it("what cannot be read is tried again: where it is listed, and where it had a state before", async () => {
  let readable = false;
  const asked: string[][] = [];
  const listed = rates([]);
  const now = {
    ...listed,
    sync: async (...args: Parameters<LiquiditySource["sync"]>) => {
      asked.push(args[1].map(({ id }) => id));
      return readable ? listed.sync(...args) : [];
    },
    refresh: async (...[, pools]: Parameters<NonNullable<LiquiditySource["refresh"]>>) => (readable ? pools : []),
  };
  const announced = { ...now, creation: { addresses: [], topics: [] } };
  for (const source of [now, announced]) {
    const store = createPoolStore();
    const found = source.fixed!().map((ref) => ({ ref, source }));
    const tracker = await startPoolTracker({
      ...{ reader, store, sources: [source], found, base: header(0n), ringSize: 8, clock: systemClock },
    });
    const states = async (number: bigint, canBeRead: boolean) => {
      readable = canBeRead;
      asked.length = 0;
      await tracker.apply(header(number), []);
      await tracker.freshen();
      return found.map(({ ref }) => store.get(ref.id) !== undefined);
    };
    expect(await states(1n, true)).toEqual(source === now ? [true, true] : [false, false]);
    if (source === announced) await tracker.resync([address(1)]);
    expect(await states(2n, false)).toEqual([false, false]);
    expect(await states(3n, false)).toEqual([false, false]);
    expect(asked).toEqual([source === now ? [address(1), address(2)] : [address(1)]]);
    expect(await states(4n, true)).toEqual(source === now ? [true, true] : [true, false]);
    await tracker.sleep([address(1)]);
    await states(5n, false);
    await states(6n, false);
    expect(asked.flat()).toEqual(source === now ? [address(2)] : []);
    readable = false;
  }
});

it("on a way over several blocks it is read at the last of them, and at those that are gone back to", async () => {
  const asked: string[][] = [];
  const source = rates(asked);
  const store = createPoolStore();
  const found = source.fixed!().map((ref) => ({ ref, source }));
  const tracker = await startPoolTracker({
    ...{ reader, store, sources: [source], found, base: header(3n), ringSize: 8, clock: systemClock },
  });
  const gas = () => [address(1), address(2)].map((id) => (store.get(id)?.state as { gas: bigint } | undefined)?.gas);
  for (const number of [4n, 5n, 6n]) await tracker.apply(header(number), []);
  await tracker.freshen();
  await tracker.freshen();
  expect(gas()).toEqual([6n, 6n]);
  expect(asked.length).toBe(1);
  tracker.unwindTo(hash(5n));
  await tracker.freshen();
  expect(gas()).toEqual([5n, 5n]);
  tracker.unwindTo(hash(3n));
  await tracker.freshen();
  expect(gas()).toEqual([3n, 3n]);
  expect(asked.length).toBe(2);
});

it("below the block that was read at, it is read at the block that is gone back to", async () => {
  const source = rates([]);
  const store = createPoolStore();
  const found = source.fixed!().map((ref) => ({ ref, source }));
  const tracker = await startPoolTracker({
    ...{ reader, store, sources: [source], found, base: header(6n), ringSize: 8, clock: systemClock },
  });
  const gas = () => [address(1), address(2)].map((id) => (store.get(id)?.state as { gas: bigint } | undefined)?.gas);
  tracker.reachBack(header(5n), []);
  tracker.reachBack(header(4n), []);
  expect(() => tracker.reachBack(header(2n), [])).toThrow(RangeError);
  expect([...tracker.stateAt(5n, new Set())!.pools].map(({ pool }) => pool)).toEqual([undefined, undefined]);
  expect(tracker.unwindTo(hash(5n))).toEqual([]);
  await tracker.freshen();
  expect(gas()).toEqual([5n, 5n]);
  tracker.unwindTo(hash(4n));
  await tracker.freshen();
  expect(gas()).toEqual([4n, 4n]);
});
