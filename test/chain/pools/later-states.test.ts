import { beforeEach, expect, it } from "vitest";
import type { PoolTracker } from "../../../src/chain/pools/pool-tracker.ts";
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
const [A, B] = [address(1), address(2)] as const;
const header = (number: bigint) =>
  ({
    number,
    hash: hash(number),
    parentHash: hash(number - 1n),
    timestamp: number,
    logsBloom: "0x",
  }) as unknown as Header;
const log = { address: B, topics: [LOG_TOPIC], data: "0x" } as unknown as Log;

/** A pool of which the state is a number: that of the block that it was read at, and one more with each log. */
const pool = (id: Pool["id"], gas: bigint): Pool => {
  return { id, source: "Logged", tokens: [address(8), address(9)], curve: "fixed-rate", state: { gas } };
};

let read: string[];
let store: ReturnType<typeof createPoolStore>;
beforeEach(() => {
  read = [];
  store = createPoolStore();
});

const source: LiquiditySource = {
  ...{ id: "Logged", kind: "wrapper", exactOut: true, assurance: "modelled", stateTopics: [LOG_TOPIC] },
  sync: async (_chain, wanted, at) => {
    read.push(...wanted.map(({ id }) => `${id} at ${at.number}`));
    return wanted.map(({ id }) => pool(id, at.number));
  },
  apply: (before) => pool(before.id, (before.state as { gas: bigint }).gas + 1n),
  action: () => ({ action: "wrapped-native", wrapped: A }),
  fillData: () => ({}),
};

/** A tracker at block 10 that knows the first pool there, and the second at block 12. */
function resumed(at: Hex): Promise<PoolTracker> {
  const found = [A, B].map((id) => ({ ref: { id, address: id, tokens: [], terms: {} }, source }));
  return startPoolTracker({
    ...{ reader, store, sources: [source], found, base: header(10n), ringSize: 8, clock: systemClock },
    states: new Map([[A, pool(A, 100n)]]),
    later: { at: { ...header(12n), hash: at }, states: new Map([[B, pool(B, 200n)]]) },
  });
}

const gas = () => [A, B].map((id) => (store.get(id)?.state as { gas: bigint } | undefined)?.gas);

it("a pool gets its kept state where the chain comes to the block that it is of, and is not read", async () => {
  const tracker = await resumed(hash(12n));
  expect(tracker.unread()).toEqual([]);
  // The state of block 12 has this log in it.
  await tracker.apply(header(11n), [log]);
  expect(gas()).toEqual([100n, undefined]);
  await tracker.apply(header(12n), [log]);
  expect(gas()).toEqual([100n, 200n]);
  await tracker.apply(header(13n), [log]);
  expect(gas()).toEqual([100n, 201n]);
  expect(read).toEqual([]);
});

it("a pool is read where the block that its kept state is of has gone", async () => {
  const tracker = await resumed(hash(77n));
  await tracker.apply(header(11n), []);
  await tracker.apply(header(12n), []);
  expect(read).toEqual([`${B} at 12`]);
  expect(gas()).toEqual([100n, 12n]);
});

it("below the block that its kept state is of a pool has none", async () => {
  const tracker = await resumed(hash(12n));
  await tracker.apply(header(11n), []);
  await tracker.apply(header(12n), []);
  expect(tracker.unwindTo(hash(11n))).toEqual([B]);
  expect(gas()).toEqual([100n, undefined]);
});

it("a pool that was read above the block that is kept is kept with its state of the tip", async () => {
  const tracker = await resumed(hash(12n));
  for (const number of [11n, 12n, 13n]) await tracker.apply(header(number), []);
  const nobody = new Set<string>();
  const kept = (doubted = nobody) => tracker.stateAt(11n, doubted)?.pools.map(({ pool, atTip }) => [pool, atTip]);
  expect(kept()).toEqual([
    [pool(A, 100n), undefined],
    [undefined, pool(B, 200n)],
  ]);
  expect(kept(new Set([B]))?.[1]).toEqual([undefined, undefined]);
});
