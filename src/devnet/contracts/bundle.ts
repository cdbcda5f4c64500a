import { readFileSync } from "node:fs";
import type { Abi, Hex } from "viem";

/** Contracts of other projects that the repository carries; the NOTICE.md beside them says where each is from. */
export type BundledContract =
  | "AlgebraBasePluginV1"
  | "AlgebraBasePluginV1Factory"
  | "AlgebraFactory"
  | "AlgebraPool"
  | "AlgebraPoolDeployer"
  | "AlgebraQuoterV2"
  | "AlgebraV1DataStorageOperator"
  | "AlgebraV1Factory"
  | "AlgebraV1Pool"
  | "AlgebraV1PoolDeployer"
  | "BalancerAuthorizer"
  | "BalancerComposableStablePool"
  | "BalancerComposableStablePoolFactory"
  | "BalancerFeePercentages"
  | "BalancerMetaStablePoolFactory"
  | "BalancerQueryProcessor"
  | "BalancerV3ProtocolFeeController"
  | "BalancerV3StablePoolFactory"
  | "BalancerV3Vault"
  | "BalancerV3VaultAdmin"
  | "BalancerV3VaultExtension"
  | "BalancerV3WeightedPoolFactory"
  | "BalancerVault"
  | "BalancerWeightedPool"
  | "BalancerWeightedPool2TokensFactory"
  | "BalancerWeightedPoolFactory"
  | "BalancerWeightedPoolV1Factory"
  | "Multicall3"
  | "NonfungiblePositionManager"
  | "PancakeFactory"
  | "PancakePair"
  | "PancakeV3Factory"
  | "PancakeV3Pool"
  | "Permit2"
  | "PoolManager"
  | "QuoterV2"
  | "SwapRouter"
  | "TickLens"
  | "UniswapV2Factory"
  | "UniswapV2Pair"
  | "UniswapV2Router02"
  | "UniswapV3Factory"
  | "UniswapV3Pool"
  | "V4Quoter"
  | "WETH9";

/** Places in a bytecode where the address of a library has to be put: file → library → byte ranges. */
type LinkReferences = Readonly<
  Record<string, Readonly<Record<string, readonly { readonly start: number; readonly length: number }[]>>>
>;

/** One contract as its makers compiled it. */
export interface ContractArtifact {
  readonly contractName: BundledContract;
  readonly abi: Abi;
  /** Creation code, without constructor arguments. */
  readonly bytecode: Hex;
  /** Runtime code, immutables zero; absent where the package has creation code only. */
  readonly deployedBytecode?: Hex;
  readonly linkReferences: LinkReferences;
}

/** Reads a bundled contract from disk. Those of Balancer V3 are compiled by us: no package has them. */
export function bundled(name: BundledContract): ContractArtifact {
  const folder = name.startsWith("BalancerV3") ? "balancer-v3" : "bundle";
  return JSON.parse(
    readFileSync(new URL(`../../../contracts/${folder}/${name}.json`, import.meta.url), "utf8"),
  ) as ContractArtifact;
}
