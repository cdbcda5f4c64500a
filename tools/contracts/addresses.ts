/**
 * Writes contracts/addresses.json: where the settlement contracts stand on each chain whose record comes along. All follow
 * from the code by CREATE2, so that nothing has to be deployed to know them.
 *
 *   node tools/contracts/addresses.ts            writes the file
 *   node tools/contracts/addresses.ts --check    compares, and ends with 1 on any difference
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { knownChains, readChainRecord } from "../../src/chain/chains/known-chains.ts";
import { settlementContracts } from "../../src/settlement/contracts.ts";
import { CREATE2_DEPLOYER } from "../../src/settlement/create2-deployer.ts";
import { VENUES } from "../../src/venues/index.ts";

const FILE = fileURLToPath(new URL("../../contracts/addresses.json", import.meta.url));

const chains = knownChains().map((name) => readChainRecord({ name }, VENUES));
const [first] = chains;
if (first === undefined) throw new Error("there is no chain record");
const { gateway, orders, parts } = settlementContracts(first.wrappedNative);
const addresses = {
  deployer: CREATE2_DEPLOYER,
  everyChain: {
    Gateway: gateway.address,
    OrderSettlement: orders.address,
    ...Object.fromEntries(parts.map(({ name, address }) => [name, address])),
  },
  Executor: Object.fromEntries(
    chains.map(({ chainId, name, wrappedNative }) => {
      return [chainId, { name, wrappedNative, address: settlementContracts(wrappedNative).executor.address }];
    }),
  ),
};
const text = `${JSON.stringify(addresses, null, 2)}\n`;

if (!process.argv.includes("--check")) {
  writeFileSync(FILE, text);
} else if (readFileSync(FILE, "utf8") !== text) {
  console.error("contracts/addresses.json is not what the code makes: run npm run contracts");
  process.exitCode = 1;
}
