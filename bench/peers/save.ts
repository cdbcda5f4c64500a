/**
 * Saves a universe of the comparison as a market (docs/snapshots.md), so that any of its requests can be asked again:
 *
 *   node bench/peers/save.ts flat|raw|mixed file.json
 *   tributary price <amount> <sell token> <buy token> --base-units --gas-price <wei> --snapshot file.json
 */
import { writeSnapshotFile } from "../../src/cli/snapshot-file.ts";
import { USUAL_FEE } from "./contestants.ts";
import { fantomUniverse, mixedUniverse } from "./universe.ts";

const [name = "", file] = process.argv.slice(2);
const universes = {
  flat: () => fantomUniverse(USUAL_FEE, true),
  raw: () => fantomUniverse(USUAL_FEE, false),
  mixed: () => mixedUniverse(USUAL_FEE),
};
if (!Object.hasOwn(universes, name) || file === undefined) {
  console.error("say which universe to save, and where: node bench/peers/save.ts flat|raw|mixed file.json");
  process.exit(2);
}
const universe = universes[name as keyof typeof universes]();
if (universe === undefined) {
  console.error("skipped: ../shared/data is not there");
  process.exit(0);
}
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
