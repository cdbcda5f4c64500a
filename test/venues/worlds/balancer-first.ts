import { encodeFunctionData, type Hex, parseAbi } from "viem";
import { type BundledContract, bundled } from "../../../src/devnet/contracts/bundle.ts";
import { type Address, ZERO_ADDRESS } from "../../../src/domain/address.ts";
import type { Anvil } from "./anvil.ts";
import { type BalancerPool, type BalancerWorld, createdBy } from "./balancer.ts";

/** Factories of Balancer V2's first pools, in the vault of a world. */
export interface FirstFactories {
  readonly weighted: Address;
  /** Pools of two tokens with a price oracle. */
  readonly twoTokens: Address;
  readonly metaStable: Address;
}

/** The functions of first pools that tests need: the package has their factories alone. */
export const FIRST_POOL = parseAbi([
  "struct SwapRequest { uint8 kind; address tokenIn; address tokenOut; uint256 amount; bytes32 poolId; uint256 lastChangeBlock; address from; address to; bytes userData; }",
  "function onSwap(SwapRequest request, uint256 balanceTokenIn, uint256 balanceTokenOut) returns (uint256)",
  "function setPaused(bool paused)",
  "function setSwapFeePercentage(uint256 swapFeePercentage)",
  "function startAmplificationParameterUpdate(uint256 rawEndValue, uint256 endTime)",
  "function stopAmplificationParameterUpdate()",
  "function updatePriceRateCache(address token)",
  "function getActionId(bytes4 selector) view returns (bytes32)",
]);

export function firstPoolCall(functionName: string, args: readonly unknown[]): Hex {
  return encodeFunctionData({ abi: FIRST_POOL, functionName, args } as Parameters<typeof encodeFunctionData>[0]);
}

export async function deployFirstFactories(anvil: Anvil, { vault }: BalancerWorld): Promise<FirstFactories> {
  const deploy = (name: BundledContract) => anvil.deploy(bundled(name).abi, bundled(name).bytecode, [vault]);
  const { abi, bytecode } = bundled("BalancerQueryProcessor");
  const library = await anvil.deploy(abi, bytecode, []);
  const metaStable = bundled("BalancerMetaStablePoolFactory");
  const places = Object.values(metaStable.linkReferences).flatMap((file) => Object.values(file).flat());
  const linked = places.reduce((code, { start, length }) => {
    const from = 2 + 2 * start;
    return `${code.slice(0, from)}${library.slice(2)}${code.slice(from + 2 * length)}` as Hex;
  }, metaStable.bytecode);
  return {
    weighted: await deploy("BalancerWeightedPoolV1Factory"),
    twoTokens: await deploy("BalancerWeightedPool2TokensFactory"),
    metaStable: await anvil.deploy(metaStable.abi, linked, [vault]),
  };
}

/** A weighted pool of the first version, with a price oracle that is switched on if wanted. */
export async function createFirstWeighted(
  anvil: Anvil,
  world: BalancerWorld,
  factories: FirstFactories,
  terms: {
    readonly tokens: readonly Address[];
    readonly weights: readonly bigint[];
    readonly fee: bigint;
    readonly oracle?: true;
  },
): Promise<BalancerPool> {
  const { tokens, weights, fee, oracle } = terms;
  const own = ["F", "F", tokens, weights, fee];
  const name = oracle ? "BalancerWeightedPool2TokensFactory" : "BalancerWeightedPoolV1Factory";
  const args = oracle ? [...own, true, anvil.account] : [...own, anvil.account];
  const data = encodeFunctionData({ abi: bundled(name).abi, functionName: "create", args });
  return createdBy(anvil, world, oracle ? factories.twoTokens : factories.weighted, data);
}

/** A MetaStable pool with a price oracle that is switched on. Durations of rate caches are seconds. */
export async function createMetaStable(
  anvil: Anvil,
  world: BalancerWorld,
  { metaStable }: FirstFactories,
  terms: {
    readonly tokens: readonly Address[];
    readonly amplification: bigint;
    readonly rateProviders: readonly (Address | undefined)[];
    readonly durations: readonly bigint[];
    readonly fee: bigint;
  },
): Promise<BalancerPool> {
  const { tokens, amplification, rateProviders, durations, fee } = terms;
  const providers = rateProviders.map((provider) => provider ?? ZERO_ADDRESS);
  const args = ["M", "M", tokens, amplification, providers, durations, fee, true, anvil.account];
  const { abi } = bundled("BalancerMetaStablePoolFactory");
  return createdBy(anvil, world, metaStable, encodeFunctionData({ abi, functionName: "create", args }));
}
