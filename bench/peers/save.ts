/**
 * Saves a universe of the comparison as a market (docs/snapshots.md), so that any of its requests can be asked again:
 *
 *   node bench/peers/save.ts <universe> file.json         universes as in meeting/universes.ts
 *   tributary price <amount> <sell token> <buy token> --base-units --gas-price <wei> --snapshot file.json
 */
import { writeSnapshotFile } from "../../src/snapshot/file.ts";
import { universeOf } from "./meeting/universes.ts";

const [name = "", file] = process.argv.slice(2);
if (file === undefined) {
  console.error("say which universe to save, and where: node bench/peers/save.ts <universe> file.json");
  process.exit(2);
}
const universe = universeOf(name);
const { pools, depth, decimals, hubs, time } = universe;
writeSnapshotFile(file, {
  chainId: 31337,
  block: { number: 1n, hash: `0x${"01".repeat(32)}`, parentHash: `0x${"00".repeat(32)}`, timestamp: time },
  gasPrice: 0n,
  wrappedNative: hubs.native,
  referenceTokens: Object.values(hubs).filter((token) => token !== hubs.native),
  tokens: [...depth.keys()].map((address) => {
    return { address, symbol: address.slice(2, 8), name: address, decimals: decimals.get(address) ?? 18 };
  }),
  sources: [...new Set(pools.map(({ source }) => source))].map((id) => {
    return { id, kind: "amm", exactOut: true, assurance: "modelled" };
  }),
  pools: pools.map((pool) => ({ pool, fillData: {} })),
});
console.log(`${universe.name}: ${pools.length} pools in ${file}`);
