import { expect, it } from "vitest";
import { createFakeChain } from "../../../fixtures/chain/fake-chain.ts";
import type { Blocks } from "../../../src/chain/blocks/blocks.ts";
import { createBootstrap } from "../../../src/chain/blocks/bootstrap.ts";
import { systemClock } from "../../../src/chain/rpc/clock.ts";
import type { Header } from "../../../src/chain/rpc/codec.ts";
import { PoolSearch } from "../../../src/chain/search/pool-search.ts";
import type { Hex } from "../../../src/domain/address.ts";
import type { ChainReader } from "../../../src/market/chain-reader.ts";
import { createPoolStore } from "../../../src/market/pool-store.ts";
import { createLogger } from "../../../src/ops/logger.ts";
import type { KeptState } from "../../../src/snapshot/kept-state.ts";
import { createSources } from "../../../src/venues/index.ts";

const HEAD = 500_000n;
const SEARCHED_TO = 300_000n;

function headerAt(number: bigint): Header {
  const hashAt = (height: bigint): Hex => `0x${height.toString(16).padStart(64, "0")}`;
  return {
    ...{ number, hash: hashAt(number), parentHash: hashAt(number - 1n), timestamp: number },
    ...{ logsBloom: `0x${"0".repeat(512)}`, receiptsRoot: undefined, baseFeePerGas: 1n, gasLimit: 30_000_000n },
  };
}

it("goes on with a search only where what that has found is known still", async () => {
  const { record } = createFakeChain({ seed: 1 });
  const sources = createSources(record);
  const { hash, parentHash, timestamp } = headerAt(HEAD - 8n);
  const kept: KeptState = {
    ...{ block: { number: HEAD - 8n, hash, parentHash, timestamp }, pools: [], sources: sources.map(({ id }) => id) },
    searches: [{ sources: ["Fake_V2"], next: SEARCHED_TO, to: HEAD - 100n }],
  };
  const searchedFrom: bigint[] = [];
  const searches: ((reason: Error) => void)[] = [];
  const blocks: Blocks = {
    latest: async () => headerAt(HEAD),
    byHash: async (asked) => headerAt(BigInt(asked)),
    byNumber: async (number) => headerAt(number),
    knows: async () => true,
    logs: async () => [],
  };
  const reader: ChainReader = {
    calls: async (calls) => calls.map(() => undefined),
    logs({ fromBlock }) {
      searchedFrom.push(fromBlock);
      return new Promise((_, reject) => searches.push(reject));
    },
  };
  const logger = createLogger("silent");
  const search = new PoolSearch({
    ...{ record, reader, patient: reader, history: reader, headerOf: blocks.byNumber, latest: blocks.latest },
    ...{ clock: systemClock, logger },
    tokens: [record.wrappedNative, record.multicall3],
    keepDiscovery: undefined,
  });
  const beginning = createBootstrap({
    ...{ record, blocks, reader, search, store: createPoolStore, ringSize: 128, clock: systemClock, logger },
    later: () => {},
    catalog: undefined,
    terms: undefined,
    loadState: async () => kept,
  });
  const start = () => beginning.start(sources, headerAt(HEAD), [], { hasHoles: false });
  const searched = async (count: number) => {
    while (searchedFrom.length < count) await new Promise(setImmediate);
    return searchedFrom;
  };
  await start();
  expect(await searched(1)).toEqual([SEARCHED_TO]);
  expect(search.rest()).toEqual(kept.searches);
  // Nothing is held of the pools before it, as after a lie of the node that they were read from.
  await start();
  expect(await searched(2)).toEqual([SEARCHED_TO, 0n]);
  const stopping = search.stop();
  for (const end of searches) end(new Error("it is over"));
  await stopping;
});
