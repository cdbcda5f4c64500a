/**
 * Writes `contracts/bundle/` from published npm packages, or with `--check` compares it with them.
 *
 * Every package is pinned by version and by the sha512 of its tarball. Tarballs are kept in `.cache/contract-packages/`,
 * so that only the first run needs a registry.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Abi, Hex } from "viem";
import type { BundledContract, ContractArtifact } from "../../src/devnet/contracts/bundle.ts";
import { RegistryUnreachable, unpack } from "./npm-package.ts";

interface PackageEntry {
  readonly name: string;
  readonly version: string;
  /** Hash of the tarball, as the registry's lock files write it. */
  readonly integrity: string;
  /** Licence of the contracts that are taken from it. */
  readonly licence: string;
  /** File name of the package's LICENSE in the bundle; packages with the same text share one file. */
  readonly licenceText: string;
  /** The licence's text inside the package; LICENSE if not given. Null: it has none, another's same licence is shown. */
  readonly licenceFile?: string | null;
  readonly contracts: readonly ContractEntry[];
}

interface ContractEntry {
  readonly name: BundledContract;
  /** Inside the package. */
  readonly file: string;
  readonly read: (packageFolder: string, file: string) => Promise<Compiled>;
}

type Compiled = Omit<ContractArtifact, "contractName">;

const PACKAGES: readonly PackageEntry[] = [
  {
    name: "@uniswap/v2-core",
    version: "1.0.1",
    integrity: "sha512-MtybtkUPSyysqLY2U210NBDeCHX+ltHt3oADGdjqoThZaFRDKwM6k1Nb3F0A3hk5hwuQvytFWhrWHOEq6nVJ8Q==",
    licence: "GPL-3.0-or-later",
    licenceText: "LICENSE-GPL-3.0.txt",
    contracts: [
      { name: "UniswapV2Factory", file: "build/UniswapV2Factory.json", read: readWaffle },
      { name: "UniswapV2Pair", file: "build/UniswapV2Pair.json", read: readWaffle },
    ],
  },
  {
    name: "@uniswap/v2-periphery",
    version: "1.1.0-beta.0",
    integrity: "sha512-6dkwAMKza8nzqYiXEr2D86dgW3TTavUvCR0w2Tu33bAbM8Ah43LKAzH7oKKPRT5VJQaMi1jtkGs1E8JPor1n5g==",
    licence: "GPL-3.0-or-later",
    licenceText: "LICENSE-GPL-3.0.txt",
    contracts: [
      { name: "UniswapV2Router02", file: "build/UniswapV2Router02.json", read: readWaffle },
      { name: "WETH9", file: "build/WETH9.json", read: readWaffle },
    ],
  },
  {
    name: "@pancakeswap-libs/pancake-swap-core",
    version: "0.1.0",
    integrity: "sha512-2jYiD1Ec3xAbP4JTa/Ozylx0xI4VwC7diCm5ak4AtGrIRhfRLSanaZSQdVpLigUnIFszma/4nVWtt3cup4Poxw==",
    licence: "GPL-3.0-or-later",
    licenceText: "LICENSE-GPL-3.0.txt",
    contracts: [
      { name: "PancakeFactory", file: "build/PancakeFactory.json", read: readWaffle },
      { name: "PancakePair", file: "build/PancakePair.json", read: readWaffle },
    ],
  },
  {
    name: "@uniswap/v3-core",
    version: "1.0.1",
    integrity: "sha512-7pVk4hEm00j9tc71Y9+ssYpO6ytkeI0y7WE9P6UcmNzhxPePwyAxImuhVsTqWK9YFvzgtvzJHi64pBl4jUzKMQ==",
    licence: "BUSL-1.1 until its change date 2023-04-01, GPL-2.0-or-later since",
    licenceText: "LICENSE-uniswap-v3-core.txt",
    contracts: [
      {
        name: "UniswapV3Factory",
        file: "artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json",
        read: readHardhat,
      },
      { name: "UniswapV3Pool", file: "artifacts/contracts/UniswapV3Pool.sol/UniswapV3Pool.json", read: readHardhat },
    ],
  },
  {
    name: "@uniswap/v3-periphery",
    version: "1.4.4",
    integrity: "sha512-S4+m+wh8HbWSO3DKk4LwUCPZJTpCugIsHrWR86m/OrUyvSqGDTXKFfc2sMuGXCZrD1ZqO3rhQsKgdWg3Hbb2Kw==",
    licence: "GPL-2.0-or-later",
    licenceText: "LICENSE-GPL-2.0.txt",
    contracts: [
      {
        name: "NonfungiblePositionManager",
        file: "artifacts/contracts/NonfungiblePositionManager.sol/NonfungiblePositionManager.json",
        read: readHardhat,
      },
      { name: "QuoterV2", file: "artifacts/contracts/lens/QuoterV2.sol/QuoterV2.json", read: readHardhat },
      { name: "SwapRouter", file: "artifacts/contracts/SwapRouter.sol/SwapRouter.json", read: readHardhat },
      { name: "TickLens", file: "artifacts/contracts/lens/TickLens.sol/TickLens.json", read: readHardhat },
    ],
  },
  {
    name: "@pancakeswap/v3-core",
    version: "1.0.2",
    integrity: "sha512-9aZU8I1J6SbZOSW7NcNxuyaAC17tGkOaZJM9aJgvl6MMUOExpq0i0EC/jc3HxWbpC8sbZL+8eG544NEJs8CS+w==",
    licence: "GPL-2.0-or-later",
    licenceText: "LICENSE-GPL-2.0.txt",
    licenceFile: null,
    contracts: [
      {
        name: "PancakeV3Factory",
        file: "artifacts/contracts/PancakeV3Factory.sol/PancakeV3Factory.json",
        read: readHardhat,
      },
      { name: "PancakeV3Pool", file: "artifacts/contracts/PancakeV3Pool.sol/PancakeV3Pool.json", read: readHardhat },
    ],
  },
  {
    name: "@uniswap/v4-core",
    version: "1.0.2",
    integrity: "sha512-X15Tm2wWd+USAzEExMbo+g9naA6QN6mPgWm0MzDwRNlOfaNlepfUpSyt9RSrUfEODspwbyWbcLg6t5nwc/e7lg==",
    licence: "BUSL-1.1 until its change date 2027-06-15, MIT then; here for development and tests only",
    licenceText: "LICENSE-uniswap-v4-core.txt",
    licenceFile: "licenses/BUSL_LICENSE",
    contracts: [{ name: "PoolManager", file: "out/PoolManager.sol/PoolManager.json", read: readFoundry }],
  },
  {
    name: "@uniswap/v4-periphery",
    version: "1.0.3",
    integrity: "sha512-JxLL0Djv9XcMvI2PatEnWrCrxuEaYNVhHxstndBOP+aJfh1XLg5ec8SDZ0xyoVfg2ElJTvuKpBgnu90bNValsg==",
    licence: "MIT",
    licenceText: "LICENSE-uniswap-v4-periphery.txt",
    contracts: [{ name: "V4Quoter", file: "foundry-out/V4Quoter.sol/V4Quoter.json", read: readFoundry }],
  },
  {
    name: "@cryptoalgebra/integral-core",
    version: "1.2.10",
    integrity: "sha512-L6A09tSmcsmZZEwLG3W5ve1RzPManARHiDdkbLq8F7mQa+C6hegq+w1FICHNFKNtkfo+eChZF97Du6SVfJkeUQ==",
    licence: "BUSL-1.1 until its change date 2027-03-15, GPL-2.0-or-later then; here for development and tests only",
    licenceText: "LICENSE-algebra-integral-core.txt",
    contracts: [
      { name: "AlgebraFactory", file: "artifacts/contracts/AlgebraFactory.sol/AlgebraFactory.json", read: readHardhat },
      { name: "AlgebraPool", file: "artifacts/contracts/AlgebraPool.sol/AlgebraPool.json", read: readHardhat },
      {
        name: "AlgebraPoolDeployer",
        file: "artifacts/contracts/AlgebraPoolDeployer.sol/AlgebraPoolDeployer.json",
        read: readHardhat,
      },
    ],
  },
  {
    name: "@cryptoalgebra/integral-periphery",
    version: "1.2.4",
    integrity: "sha512-gaVKaZ7EWMkbzS6z7tzTB3C2r9vdupfGbAscWNEXB57A47b3uWo7hElfsxg/gfb0FmBFpfaamqVW+Q8FHZatLg==",
    licence: "GPL-2.0-or-later",
    licenceText: "LICENSE-GPL-2.0.txt",
    licenceFile: null,
    contracts: [
      { name: "AlgebraQuoterV2", file: "artifacts/contracts/lens/QuoterV2.sol/QuoterV2.json", read: readHardhat },
    ],
  },
  {
    name: "@cryptoalgebra/integral-base-plugin",
    version: "1.2.1",
    integrity: "sha512-BgeLkSbuaTGs1LwBh4XDHAN9YUuKmjx13rdGeM0uKQrEndP1uay3rSA6WGlZEUHIKnXAcjrj5aGqyK+4MwgM9w==",
    licence: "BUSL-1.1 until its change date 2027-03-15, GPL-2.0-or-later then; here for development and tests only",
    licenceText: "LICENSE-algebra-integral-base-plugin.txt",
    contracts: [
      {
        name: "AlgebraBasePluginV1",
        file: "artifacts/contracts/AlgebraBasePluginV1.sol/AlgebraBasePluginV1.json",
        read: readHardhat,
      },
      {
        name: "AlgebraBasePluginV1Factory",
        file: "artifacts/contracts/BasePluginV1Factory.sol/BasePluginV1Factory.json",
        read: readHardhat,
      },
    ],
  },
  {
    name: "@cryptoalgebra/v1-core",
    version: "1.0.0",
    integrity: "sha512-xuGKpcmVrGAu2h93lGKiOhbOdtkmy2EapHeH0SrRaVMolDkszFcx4lyrIDULKsjrN7xba85lxAcEyPoX2E2tGQ==",
    licence: "BUSL-1.1 until its change date 2024-05-30, GPL-2.0-or-later since",
    licenceText: "LICENSE-algebra-v1-core.txt",
    contracts: [
      {
        name: "AlgebraV1DataStorageOperator",
        file: "artifacts/contracts/DataStorageOperator.sol/DataStorageOperator.json",
        read: readHardhat,
      },
      {
        name: "AlgebraV1Factory",
        file: "artifacts/contracts/AlgebraFactory.sol/AlgebraFactory.json",
        read: readHardhat,
      },
      { name: "AlgebraV1Pool", file: "artifacts/contracts/AlgebraPool.sol/AlgebraPool.json", read: readHardhat },
      {
        name: "AlgebraV1PoolDeployer",
        file: "artifacts/contracts/AlgebraPoolDeployer.sol/AlgebraPoolDeployer.json",
        read: readHardhat,
      },
    ],
  },
  {
    name: "@balancer-labs/v2-deployments",
    version: "3.2.0",
    integrity: "sha512-pghD7qyTVp1832d7F7yHgAeh/EZvS2/GLvUx9ieM671NMh1KTprYZOBCpEVVC9JnE1Vpru5rc9DDNlFw3capVw==",
    licence: "GPL-3.0-only",
    licenceText: "LICENSE-GPL-3.0.txt",
    licenceFile: null,
    contracts: [
      { name: "BalancerVault", file: "dist/tasks/20210418-vault/artifact/Vault.json", read: readHardhat },
      {
        name: "BalancerAuthorizer",
        file: "dist/tasks/20210418-authorizer/artifact/Authorizer.json",
        read: readHardhat,
      },
      {
        name: "BalancerFeePercentages",
        file: "dist/tasks/20220725-protocol-fee-percentages-provider/artifact/ProtocolFeePercentagesProvider.json",
        read: readHardhat,
      },
      {
        name: "BalancerWeightedPool",
        file: "dist/tasks/20230206-weighted-pool-v3/artifact/WeightedPool.json",
        read: readHardhat,
      },
      {
        name: "BalancerWeightedPoolFactory",
        file: "dist/tasks/20230206-weighted-pool-v3/artifact/WeightedPoolFactory.json",
        read: readHardhat,
      },
      {
        name: "BalancerComposableStablePool",
        file: "dist/tasks/20230206-composable-stable-pool-v3/artifact/ComposableStablePool.json",
        read: readHardhat,
      },
      {
        name: "BalancerComposableStablePoolFactory",
        file: "dist/tasks/20230206-composable-stable-pool-v3/artifact/ComposableStablePoolFactory.json",
        read: readHardhat,
      },
      {
        name: "BalancerWeightedPoolV1Factory",
        file: "dist/tasks/deprecated/20210418-weighted-pool/artifact/WeightedPoolFactory.json",
        read: readHardhat,
      },
      {
        name: "BalancerWeightedPool2TokensFactory",
        file: "dist/tasks/deprecated/20210418-weighted-pool/artifact/WeightedPool2TokensFactory.json",
        read: readHardhat,
      },
      {
        name: "BalancerMetaStablePoolFactory",
        file: "dist/tasks/deprecated/20210727-meta-stable-pool/artifact/MetaStablePoolFactory.json",
        read: readHardhat,
      },
      {
        name: "BalancerQueryProcessor",
        file: "dist/tasks/deprecated/20210727-meta-stable-pool/artifact/QueryProcessor.json",
        read: readHardhat,
      },
    ],
  },
  {
    name: "@uniswap/uniswapx-sdk",
    version: "3.0.1",
    integrity: "sha512-w2kLNbaOas6dz0ExmS+/ftdHzNkswO3CRcztAu65Cha6RfL4z0HeSUmv5aapEOp1+8EqNkCE/XRhei5qCakxqQ==",
    licence: "MIT",
    licenceText: "LICENSE-permit2.txt",
    contracts: [{ name: "Permit2", file: "dist/esm/src/contracts/factories/Permit2__factory.js", read: readTypechain }],
  },
  {
    name: "viem",
    version: "2.57.1",
    integrity: "sha512-eOV3fHnaMzkIFRefZg1icWztAKvBHg7RMKEH89ywY7hnyq1VxI4s/osXnTBViOsEZ7/LbbxU3w+JaIrbeIXRPQ==",
    licence: "MIT",
    licenceText: "LICENSE-viem.txt",
    contracts: [
      {
        name: "Multicall3",
        file: "_esm/constants/contracts.js",
        read: readConstants("multicall3Bytecode", "multicall3Abi"),
      },
    ],
  },
];

const root = fileURLToPath(new URL("../..", import.meta.url));
const bundleFolder = join(root, "contracts", "bundle");

/** An artifact of Waffle: code in solc's own `evm` part, without 0x. */
async function readWaffle(folder: string, file: string): Promise<Compiled> {
  interface Code {
    readonly object: string;
    readonly linkReferences: ContractArtifact["linkReferences"];
  }
  const artifact = JSON.parse(readFileSync(join(folder, file), "utf8")) as {
    readonly abi: Abi;
    readonly evm: { readonly bytecode: Code; readonly deployedBytecode: Code };
  };
  return {
    abi: artifact.abi,
    bytecode: `0x${artifact.evm.bytecode.object}`,
    deployedBytecode: `0x${artifact.evm.deployedBytecode.object}`,
    linkReferences: artifact.evm.bytecode.linkReferences,
  };
}

/** An artifact of Hardhat. */
async function readHardhat(folder: string, file: string): Promise<Compiled> {
  const artifact = JSON.parse(readFileSync(join(folder, file), "utf8")) as Required<Compiled>;
  return {
    abi: artifact.abi,
    bytecode: artifact.bytecode,
    deployedBytecode: artifact.deployedBytecode,
    linkReferences: artifact.linkReferences,
  };
}

/** An artifact of Foundry. */
async function readFoundry(folder: string, file: string): Promise<Compiled> {
  interface Code {
    readonly object: Hex;
    readonly linkReferences: ContractArtifact["linkReferences"];
  }
  const artifact = JSON.parse(readFileSync(join(folder, file), "utf8")) as {
    readonly abi: Abi;
    readonly bytecode: Code;
    readonly deployedBytecode: Code;
  };
  return {
    abi: artifact.abi,
    bytecode: artifact.bytecode.object,
    deployedBytecode: artifact.deployedBytecode.object,
    linkReferences: artifact.bytecode.linkReferences,
  };
}

/** Creation code that a package has as an exported constant, with the ABI in `abis.js` beside it. */
function readConstants(bytecode: string, abi: string): ContractEntry["read"] {
  return async (folder, file) => {
    const codes: Readonly<Record<string, Hex>> = await import(pathToFileURL(join(folder, file)).href);
    const abis: Readonly<Record<string, Abi>> = await import(pathToFileURL(join(folder, file, "..", "abis.js")).href);
    const [code, contractAbi] = [codes[bytecode], abis[abi]];
    if (code === undefined || contractAbi === undefined) throw new Error(`${file} does not export ${bytecode}, ${abi}`);
    return { abi: contractAbi, bytecode: code, linkReferences: {} };
  };
}

/** A factory of TypeChain: ABI and creation code stand in it as literals. */
async function readTypechain(folder: string, file: string): Promise<Compiled> {
  const text = readFileSync(join(folder, file), "utf8");
  const abi = text.match(/const _abi = (\[.*?\n\]);/s)?.[1];
  const bytecode = text.match(/const _bytecode = "(0x[0-9a-f]+)"/)?.[1] as Hex | undefined;
  if (abi === undefined || bytecode === undefined) throw new Error(`${file} is no factory of TypeChain`);
  const module = `data:text/javascript,${encodeURIComponent(`export const abi = ${abi};`)}`;
  return { abi: ((await import(module)) as { readonly abi: Abi }).abi, bytecode, linkReferences: {} };
}

/** The artifact as text: one line for each ABI entry, so that a difference can be read. */
function render(artifact: ContractArtifact): string {
  const abi = artifact.abi.map((item) => `    ${JSON.stringify(item)}`).join(",\n");
  const fields = [
    `"contractName": ${JSON.stringify(artifact.contractName)}`,
    `"abi": [\n${abi}\n  ]`,
    `"bytecode": ${JSON.stringify(artifact.bytecode)}`,
    ...(artifact.deployedBytecode ? [`"deployedBytecode": ${JSON.stringify(artifact.deployedBytecode)}`] : []),
    `"linkReferences": ${JSON.stringify(artifact.linkReferences)}`,
  ];
  return `{\n  ${fields.join(",\n  ")}\n}\n`;
}

function renderNotice(): string {
  const rows = PACKAGES.flatMap((entry) =>
    entry.contracts.map(
      (contract) =>
        `| ${contract.name}.json | ${entry.name} ${entry.version} | ${contract.file} | ${entry.licence} | [text](${entry.licenceText}) |`,
    ),
  );
  return `# Contracts of other projects

The files here hold ABI and bytecode of contracts that other projects compiled and published. They are the venues of the
devnet and what the tests compare with. They are not part of Tributary's own code and stay under their own licences. The
Solidity sources are in the npm packages named here. \`tools/contracts/bundle-contracts.ts\` writes this folder, this page included;
run it with \`--check\` to compare the folder with the packages.

| file | npm package | file in the package | licence | |
|---|---|---|---|---|
${rows.join("\n")}
`;
}

/** Every file that the bundle is to have, by name. Registry trouble is thrown after all packages have been tried. */
async function buildBundle(): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>([["NOTICE.md", renderNotice()]]);
  const unreachable: RegistryUnreachable[] = [];
  for (const entry of PACKAGES) {
    try {
      const folder = await unpack(entry);
      addLicence(files, entry, folder);
      for (const { name, file, read } of entry.contracts)
        files.set(`${name}.json`, render({ contractName: name, ...(await read(folder, file)) }));
    } catch (error) {
      if (!(error instanceof RegistryUnreachable)) throw error;
      unreachable.push(error);
    }
  }
  if (unreachable.length === PACKAGES.length) throw unreachable[0];
  if (unreachable.length > 0) throw new Error(`not fetched: ${unreachable.map((error) => error.message).join(", ")}`);
  return files;
}

function addLicence(files: Map<string, string>, entry: PackageEntry, folder: string): void {
  if (entry.licenceFile === null) {
    if (!files.has(entry.licenceText)) throw new Error(`${entry.name}: no package before it has its licence's text`);
    return;
  }
  const licence = readFileSync(join(folder, entry.licenceFile ?? "LICENSE"), "utf8");
  if ((files.get(entry.licenceText) ?? licence) !== licence) throw new Error(`${entry.name}: another LICENSE text`);
  files.set(entry.licenceText, licence);
}

/** Differences between the folder and `files`, one line each. */
function differences(files: ReadonlyMap<string, string>): readonly string[] {
  const present = new Set(readdirSync(bundleFolder));
  return [
    ...[...files.keys()].filter((name) => !present.has(name)).map((name) => `missing: ${name}`),
    ...[...present].filter((name) => !files.has(name)).map((name) => `not from any package: ${name}`),
    ...[...files].flatMap(([name, text]) =>
      present.has(name) && readFileSync(join(bundleFolder, name), "utf8") !== text ? [`differs: ${name}`] : [],
    ),
  ];
}

async function main(check: boolean): Promise<number> {
  try {
    const files = await buildBundle();
    if (!check) {
      rmSync(bundleFolder, { recursive: true, force: true });
      mkdirSync(bundleFolder, { recursive: true });
      for (const [name, text] of files) writeFileSync(join(bundleFolder, name), text);
      console.log(`wrote ${files.size} files`);
      return 0;
    }
    const found = differences(files);
    for (const line of found) console.error(line);
    console.log(found.length === 0 ? `${files.size} files as published` : `${found.length} differences`);
    return found.length === 0 ? 0 : 1;
  } catch (error) {
    if (!(check && error instanceof RegistryUnreachable)) throw error;
    console.log("skipped: registry not reachable");
    return 0;
  }
}

process.exitCode = await main(process.argv.includes("--check"));
