import { afterEach, expect, it } from "vitest";
import { createFakeChain } from "../../../fixtures/chain/fake-chain.ts";
import { RefusedCounts } from "../../../src/chain/pools/unserved-pools.ts";
import { systemClock } from "../../../src/chain/rpc/clock.ts";
import type { Header } from "../../../src/chain/rpc/codec.ts";
import type { SearchRange } from "../../../src/chain/search/background-search.ts";
import { PoolSearch } from "../../../src/chain/search/pool-search.ts";
import { type Hex, toAddress } from "../../../src/domain/address.ts";
import type { ChainReader, Log } from "../../../src/market/chain-reader.ts";
import type { LiquiditySource } from "../../../src/market/liquidity-source.ts";
import { createLogger } from "../../../src/ops/logger.ts";

const LAST = 99n;
const address = (digit: number) => toAddress(`0x${String(digit).repeat(40)}`);
const hash = (number: bigint): Hex => `0x${number.toString(16).padStart(64, "0")}`;
const [SERVED, HOOKED] = [hash(98n), hash(99n)];
const headerAt = (number: bigint) => ({ number, hash: hash(number), timestamp: number }) as Header;

let search: PoolSearch | undefined;
afterEach(() => search?.stop());

/** A source whose factory announces one pool that is served and one that is not in every block. */
function announcing(id: string, digit: number): LiquiditySource {
  return {
    ...{ id, kind: "amm", exactOut: true, assurance: "exact", stateTopics: [] },
    creation: { addresses: [address(digit)], topics: [SERVED, HOOKED] },
    created: ({ topics, address: factory, blockNumber }) =>
      topics[0] === SERVED
        ? { id: `${id} ${blockNumber}`, address: factory, tokens: [address(8), address(9)], terms: {} }
        : undefined,
    refused: ({ topics }) => (topics[0] === HOOKED ? "UNKNOWN_HOOKS" : undefined),
    sync: async () => [],
    apply: () => "resync",
    action: () => ({ action: "wrapped-native", wrapped: address(1) }),
    fillData: () => ({}),
  };
}

const reader: ChainReader = {
  calls: async (calls) => calls.map(() => undefined),
  async logs({ addresses = [], fromBlock, to }) {
    const logs: Log[] = [];
    for (let block = fromBlock; block <= to.number; block++)
      for (const from of addresses)
        for (const topic of [SERVED, HOOKED])
          logs.push({ ...{ address: from, topics: [topic], data: "0x", logIndex: 0 }, ...blockOf(block) });
    return logs;
  },
};
const blockOf = (number: bigint) => ({ blockHash: hash(number), blockNumber: number });

const [first, second] = [announcing("First", 2), announcing("Second", 3)];
const sources = [first, second];

function createSearch(): PoolSearch {
  const { record } = createFakeChain({ seed: 1 });
  search = new PoolSearch({
    ...{ record, reader, patient: reader, history: reader, clock: systemClock, logger: createLogger("silent") },
    ...{ headerOf: async (number) => headerAt(number), latest: async () => headerAt(LAST), tokens: [] },
    keepDiscovery: undefined,
  });
  return search;
}

const range = (of: readonly LiquiditySource[], next: bigint, to: bigint): SearchRange => {
  return { sources: of.map(({ id }) => id), next, to };
};

it("counts each pool that is not served once, though sources are searched from different blocks on", async () => {
  const ranges = [range([second], 10n, 59n), range(sources, 60n, LAST)];
  const known = { found: [], refused: [{ source: "First", reason: "UNKNOWN_HOOKS", pools: 60 } as const] };
  const { found, refused, rest } = await createSearch().find(sources, { ranges, base: headerAt(LAST), known });
  expect(rest).toBeUndefined();
  expect(found.length).toBe(40 + 90);
  expect(new Set(found.map(({ ref }) => ref.id)).size).toBe(found.length);
  expect(refused).toEqual([
    { source: "First", reason: "UNKNOWN_HOOKS", pools: 60 + 40 },
    { source: "Second", reason: "UNKNOWN_HOOKS", pools: 90 },
  ]);
});

it("counts what it finds beside the following as it is taken, and leaves the rest to a later run", async () => {
  const going = createSearch();
  going.goOn(sources, [range([first], 0n, 49n), range(sources, 50n, LAST)]);
  const counts = new RefusedCounts();
  while (going.peek(1_000).length < 150) await new Promise(setImmediate);
  // A part of the first range was taken: none of it is counted, and all of it is left to a later run.
  counts.addCounts(going.drop(going.peek(20)));
  expect(counts.all()).toEqual([]);
  expect(going.rest()).toEqual([range([first], 0n, 49n), range(sources, 50n, LAST)]);
  counts.addCounts(going.drop(going.peek(30)));
  expect(counts.all()).toEqual([{ source: "First", reason: "UNKNOWN_HOOKS", pools: 50 }]);
  expect(going.rest()).toEqual([range(sources, 50n, LAST)]);
  counts.addCounts(going.drop(going.peek(1_000)));
  expect(counts.all()).toEqual([
    { source: "First", reason: "UNKNOWN_HOOKS", pools: 100 },
    { source: "Second", reason: "UNKNOWN_HOOKS", pools: 50 },
  ]);
  expect(going.rest()).toEqual([]);
});
