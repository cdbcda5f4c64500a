import { expect, it } from "vitest";
import { startPoolTracker } from "../../../src/chain/pools/tracker-of-blocks.ts";
import { systemClock } from "../../../src/chain/rpc/clock.ts";
import type { Header } from "../../../src/chain/rpc/codec.ts";
import { type Hex, toAddress } from "../../../src/domain/address.ts";
import type { Log } from "../../../src/market/chain-reader.ts";
import type { LiquiditySource } from "../../../src/market/liquidity-source.ts";
import { createPoolStore } from "../../../src/market/pool-store.ts";

const address = (digit: number) => toAddress(`0x${String(digit).repeat(40)}`);
const hash = (number: bigint): Hex => `0x${number.toString(16).padStart(64, "0")}`;
const [SERVED, HOOKED] = [hash(98n), hash(99n)];

function header(number: bigint): Header {
  const logsBloom: Hex = `0x${"0".repeat(512)}`;
  return { number, hash: hash(number), parentHash: hash(number - 1n), timestamp: number, logsBloom } as Header;
}

function log(topic: Hex, pool: number): Log {
  const data: Hex = `0x${String(pool).repeat(40)}`;
  return { address: address(7), topics: [topic], data, blockHash: hash(1n), blockNumber: 1n, logIndex: 0 };
}

/** Its second pool cannot be read, since it is paused. */
const source: LiquiditySource = {
  ...{ id: "Hooks", kind: "amm", exactOut: true, assurance: "exact", stateTopics: [] },
  creation: { addresses: [address(7)], topics: [SERVED, HOOKED] },
  created: ({ topics, data }) =>
    topics[0] === SERVED
      ? { id: data, address: toAddress(data), tokens: [address(8), address(9)], terms: {} }
      : undefined,
  refused: ({ topics }) => (topics[0] === HOOKED ? "UNKNOWN_HOOKS" : undefined),
  async sync(_chain, refs, _at, reportUnserved) {
    return refs.flatMap(({ id, tokens }) => {
      if (id !== address(2)) return [{ id, source: "Hooks", tokens, curve: "fixed-rate", state: { gas: 1n } }];
      reportUnserved?.(id, "PAUSED");
      return [];
    });
  },
  apply: () => "resync",
  action: () => ({ action: "wrapped-native", wrapped: address(1) }),
  fillData: () => ({}),
};

it("counts pools that are not served by their reason, back and forth over blocks", async () => {
  const tracker = await startPoolTracker({
    ...{ reader: { calls: async () => [], logs: async () => [] }, store: createPoolStore(), sources: [source] },
    ...{ found: [], base: header(1n), ringSize: 8, clock: systemClock },
    refused: [{ source: "Hooks", reason: "UNKNOWN_HOOKS", pools: 1_000 }],
  });
  const count = () => Object.fromEntries(tracker.unserved(source).map(({ reason, pools }) => [reason, pools]));
  expect(count()).toEqual({ UNKNOWN_HOOKS: 1_000 });
  await tracker.apply(header(2n), [log(HOOKED, 1), log(SERVED, 1), log(HOOKED, 3)]);
  await tracker.apply(header(3n), [log(SERVED, 2), log(SERVED, 4)]);
  expect(count()).toEqual({ UNKNOWN_HOOKS: 1_002, PAUSED: 1 });
  // The counts kept of block 2 are those known there.
  expect(tracker.stateAt(1n, new Set())?.refused).toEqual([{ source: "Hooks", reason: "UNKNOWN_HOOKS", pools: 1_000 }]);
  expect(tracker.stateAt(2n, new Set())?.refused).toEqual([{ source: "Hooks", reason: "UNKNOWN_HOOKS", pools: 1_002 }]);
  // One that sleeps is neither served nor left out.
  await tracker.sleep([address(2)]);
  expect(count()).toEqual({ UNKNOWN_HOOKS: 1_002 });
  tracker.unwindTo(hash(1n));
  expect(count()).toEqual({ UNKNOWN_HOOKS: 1_000 });
});
