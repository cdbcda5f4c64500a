/**
 * Memory and disk that a sleeping pool takes, and times to put pools to sleep and to look them up: `node --expose-gc
 * bench/chain/sleeping.ts [--pools 300000]`. The pools are pairs as a search announces them, each of a token that no
 * other has.
 */
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createFakeChain } from "../../fixtures/chain/fake-chain.ts";
import { SleepingPools } from "../../src/chain/pools/sleeping-pools.ts";
import { systemClock } from "../../src/chain/rpc/clock.ts";
import { toAddress } from "../../src/domain/address.ts";
import type { KnownPool } from "../../src/market/pool-catalog.ts";
import { openCatalog } from "../../src/stores/open-stores.ts";
import { quantile } from "../quantile.ts";

const { values } = parseArgs({ options: { pools: { type: "string", default: "300000" } } });
const count = Number(values.pools);
/** Pools that a search hands over at a time. */
const AT_ONCE = 100;
const LOOKED_UP = 10_000;
const { record } = createFakeChain({ seed: 1 });
const source = "Fake_V2";
/** Pairs' addresses and tokens are spread as hashes are: an index is never filled in order. */
const spread = (index: number) => ((index * 2_654_435_761) % 2 ** 32).toString(16).padStart(8, "0");
const addressOf = (kind: string, index: number) =>
  toAddress(`0x${spread(index)}${kind}${index.toString(16).padStart(30, "0")}`);
const heap = () => {
  (globalThis as { gc?: () => void }).gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};
/** Processor time of this process, which other programs of the machine do not lengthen much. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
function pairOf(index: number): KnownPool {
  const address = addressOf("aa", index);
  const tokens = [record.wrappedNative, addressOf("bb", index)];
  return { source, ref: { id: address, address, tokens, terms: {} } };
}

const folder = mkdtempSync(join(tmpdir(), "sleeping-"));
const before = heap();
const catalog = openCatalog(folder, record.chainId, console.error);
const sleeping = new SleepingPools({ catalog, clock: systemClock });
await sleeping.begin(new Map([[source, ""]]), () => false);
const putMs: number[] = [];
for (let from = 0; from < count; from += AT_ONCE) {
  const pools = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, index) => pairOf(from + index));
  const began = processorMs();
  await sleeping.add(pools);
  putMs.push(processorMs() - began);
}
const lookMs: number[] = [];
for (let look = 0; look < LOOKED_UP; look++) {
  const began = performance.now();
  sleeping.with(addressOf("bb", (look * 7_919) % count), 65);
  lookMs.push(performance.now() - began);
}
const hubBegan = performance.now();
sleeping.with(record.wrappedNative, 65);
const hubMs = performance.now() - hubBegan;
const turnBegan = processorMs();
sleeping.next(500);
const turnMs = processorMs() - turnBegan;
const bytes = (heap() - before) / count;
const known = sleeping.size;
catalog.close();
const onDisk = statSync(join(folder, `pools-${record.chainId}.sqlite`)).size / count;
rmSync(folder, { recursive: true });
const ms = (value: number) => `${value.toFixed(2)} ms`;
console.log(`${known} sleeping pools: ${Math.round(bytes)} bytes of memory each, ${Math.round(onDisk)} on the disk`);
console.log(`${AT_ONCE} put there: median ${ms(quantile(putMs, 0.5))}, 99th percentile ${ms(quantile(putMs, 0.99))}`);
console.log(`those of a token: median ${ms(quantile(lookMs, 0.5))}, 99th percentile ${ms(quantile(lookMs, 0.99))}`);
console.log(`65 of the token that all hold: ${ms(hubMs)}; the turn of 500: ${ms(turnMs)}`);
