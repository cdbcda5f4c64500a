/**
 * What a pool that sleeps takes of the heap: `node --expose-gc bench/chain/sleeping.ts [--pools 300000]`. The pools are pairs
 * as a search announces them, each of a token that no other has.
 */
import { parseArgs } from "node:util";
import { createFakeChain } from "../../fixtures/chain/fake-chain.ts";
import { createSleepingPools } from "../../src/chain/pools/sleeping-pools.ts";
import { createTrackedPools } from "../../src/chain/pools/tracked-pools.ts";
import { toAddress } from "../../src/domain/address.ts";
import { createSources } from "../../src/venues/index.ts";

const { values } = parseArgs({ options: { pools: { type: "string", default: "300000" } } });
const count = Number(values.pools);
const { record } = createFakeChain({ seed: 1 });
const source = createSources(record).find(({ id }) => id === "Fake_V2")!;
const addressOf = (kind: string, index: number) => toAddress(`0x${kind}${index.toString(16).padStart(38, "0")}`);
const heap = () => {
  (globalThis as { gc?: () => void }).gc?.();
  return process.memoryUsage().heapUsed;
};

const before = heap();
const tracked = createTrackedPools();
const sleeping = createSleepingPools();
for (let index = 0; index < count; index++) {
  const address = addressOf("aa", index);
  const ref = { id: address, address, tokens: [record.wrappedNative, addressOf("bb", index)], terms: {} };
  tracked.add({ ref, source });
  sleeping.add(source.id, ref);
}
const bytes = (heap() - before) / count;
console.log(
  `${tracked.size} sleeping pools: ${Math.round(bytes)} bytes of heap each, ${Math.round((bytes * count) / 1e6)} MB`,
);
