/**
 * Prints the compiler's standard JSON input of one contract, with every source that it imports: what block explorers ask
 * for to verify the code at an address. The compiler is solc 0.8.34+commit.80d5c536. Gateway, order settlement and parts
 * have no constructor arguments; the executor's are gateway and wrapped native token, which `contracts/addresses.json` has.
 *
 *   node tools/contracts/standard-json.ts Gateway > gateway.json
 */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { standardInputOf } from "./solidity/contract-compiler.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

const [name = ""] = process.argv.slice(2);
const path = [`contracts/src/${name}.sol`, `contracts/src/venues/${name}.sol`].find((each) => existsSync(root + each));
if (path === undefined) {
  console.error(`There is no contract ${JSON.stringify(name)}. Send the name of a file of contracts/src, as Gateway.`);
  process.exit(2);
}
console.log(JSON.stringify(standardInputOf(path), null, 2));
