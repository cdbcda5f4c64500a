/**
 * Compiles Balancer V3's contracts from their published sources into `contracts/balancer-v3/`, as their makers do it: no
 * package has them compiled. It takes some minutes, and the result is committed; with names it compiles those only.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type PinnedPackage, unpack } from "./npm-package.ts";
import { artifactOf, createCompiler } from "./solidity/pinned-compiler.ts";

const PACKAGES: readonly PinnedPackage[] = [
  {
    name: "@balancer-labs/v3-vault",
    version: "1.0.0",
    integrity: "sha512-1ITonp/z4wRCoU1WiHAO4Ep0kYC3Sxcmoj1R/+XvqQWOFFKnmdeN47YblokEMTmJmt5ZZ4QiTZV9vtm87Vo9Sw==",
  },
  {
    name: "@balancer-labs/v3-pool-weighted",
    version: "1.0.0",
    integrity: "sha512-YIeqcFfBGAdmXifoqlsLwtSdyWFzwYASMpu5WekQmw87biyc4j4MmaZe8E06MqpFYUh/Yn2OrasMWJMw8pMrAw==",
  },
  {
    name: "@balancer-labs/v3-pool-stable",
    version: "1.0.0",
    integrity: "sha512-B7nLP3YqiX9PE7UxvH0p5QYT2gaIXaaeA4Gy/1eed9fO4gX/i9M68+KNXH5BPuUlziMD/mHLGXvG1jqB2u6FWw==",
  },
  {
    name: "@balancer-labs/v3-interfaces",
    version: "1.0.0",
    integrity: "sha512-HWsARIm+5+UPeQ/vch4BCwLn0dDUD+OjbVUBxAaSj8GbRdmAPoZadtk4B1EZQqHwTn2FmSrGvqR7LzFk4GVcxQ==",
  },
  {
    name: "@balancer-labs/v3-solidity-utils",
    version: "1.0.0",
    integrity: "sha512-d0F2KV4pJcUVsaGH5IBSDo7yrnWFbARjTltPNoX7JGRPGjv6QkRpxP6hsl3/4v7vahNzhMN+0ougidPNwpDdzQ==",
  },
  {
    name: "@balancer-labs/v3-pool-utils",
    version: "1.0.0",
    integrity: "sha512-LUdnyZEq/y9w7Mx12K7i126Ga4Zo80sDVW9s3+Mbp5wKsg9LjqfqJXc3KEkUt/fLsjN2g0u4DPjws9wivhv1kg==",
  },
  {
    name: "@openzeppelin/contracts",
    version: "5.4.0",
    integrity: "sha512-eCYgWnLg6WO+X52I16TZt8uEjbtdkgLC0SUX/xnAksjjrQI4Xfn4iBRoI5j55dmlOhDv1Y7BoR3cU7e3WWhC6A==",
  },
];

const COMPILER: PinnedPackage = {
  name: "solc",
  version: "0.8.26",
  integrity: "sha512-yiPQNVf5rBFHwN6SIf3TUUvVAFKcQqmSUFeq+fb6pNRCo0ZCgpYOZDi3BVoezCPIAcKrVYd/qXlBLUP9wVrZ9g==",
};

/** Without these the vault is larger than a contract may be: pvt/common/hardhat-base-config.ts of their repository. */
const OPTIMIZER_STEPS =
  "dhfoDgvulfnTUtnIf [ xa[r]EscLM cCTUtTOntnfDIul Lcul Vcul [j] Tpeul xa[rul] xa[r]cL gvif CTUca[r]LSsTFOtfDnca[r]Iulc ] jmul[jul] VcTOcul jmul : fDnTOcmu";

const VAULT = "@balancer-labs/v3-vault/contracts";
/** With the runs of the optimizer that the same file has for each. */
const CONTRACTS: readonly { readonly name: string; readonly file: string; readonly runs: number }[] = [
  { name: "Vault", file: `${VAULT}/Vault.sol`, runs: 500 },
  { name: "VaultExtension", file: `${VAULT}/VaultExtension.sol`, runs: 500 },
  { name: "VaultAdmin", file: `${VAULT}/VaultAdmin.sol`, runs: 9_999 },
  { name: "ProtocolFeeController", file: `${VAULT}/ProtocolFeeController.sol`, runs: 9_999 },
  {
    name: "WeightedPoolFactory",
    file: "@balancer-labs/v3-pool-weighted/contracts/WeightedPoolFactory.sol",
    runs: 9_999,
  },
  { name: "StablePoolFactory", file: "@balancer-labs/v3-pool-stable/contracts/StablePoolFactory.sol", runs: 9_999 },
];

const target = fileURLToPath(new URL("../../contracts/balancer-v3", import.meta.url));

const folders = new Map<string, string>();
for (const entry of PACKAGES) folders.set(entry.name, await unpack(entry));
const read = (path: string) => {
  const [scope, name, ...rest] = path.split("/");
  return readFileSync(join(folders.get(`${scope}/${name}`) ?? "", ...rest), "utf8");
};
const compile = await createCompiler(COMPILER, read);
mkdirSync(target, { recursive: true });
const wanted = new Set(process.argv.slice(2));
for (const { name, file, runs } of CONTRACTS) {
  if (wanted.size > 0 && !wanted.has(name)) continue;
  const contractOf = compile([file], {
    viaIR: true,
    evmVersion: "cancun",
    optimizer: { enabled: true, runs, details: { yulDetails: { optimizerSteps: OPTIMIZER_STEPS } } },
    outputSelection: { [file]: { [name]: ["abi", "evm.bytecode.object", "evm.deployedBytecode.object"] } },
  });
  const artifact = artifactOf(`BalancerV3${name}`, contractOf(file, name), ['"linkReferences": {}']);
  writeFileSync(join(target, `BalancerV3${name}.json`), artifact);
  console.log(`BalancerV3${name}`);
}
