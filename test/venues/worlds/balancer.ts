import {
  type Abi,
  encodeAbiParameters,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  keccak256,
  maxUint256,
  parseAbi,
  toHex,
} from "viem";
import { type BundledContract, bundled } from "../../../src/devnet/contracts/bundle.ts";
import { type Address, toAddress, ZERO_ADDRESS } from "../../../src/domain/address.ts";
import type { Anvil } from "./anvil.ts";
import { compiled } from "./compiled.ts";

/** Balancer V2 as its makers compiled it: a vault, its authorizer, and factories of pools. */
export interface BalancerWorld {
  readonly vault: Address;
  readonly weightedFactory: Address;
  readonly stableFactory: Address;
  readonly authorizer: Address;
  readonly feePercentages: Address;
}

/** A pool that was made, as the vault has registered it. */
export interface BalancerPool {
  readonly address: Address;
  readonly poolId: Hex;
  /** In the vault's order; a stable pool's own share is among them. */
  readonly tokens: readonly Address[];
}

const DAY = 86_400n;
/** The part of ProtocolFeesCollector that is needed here: the vault makes it itself. */
const COLLECTOR = parseAbi([
  "function setSwapFeePercentage(uint256)",
  "function getActionId(bytes4) view returns (bytes32)",
]);

export async function deployBalancer(anvil: Anvil, wrapped: Address = ZERO_ADDRESS): Promise<BalancerWorld> {
  const deploy = (name: BundledContract, args: readonly unknown[]) =>
    anvil.deploy(bundled(name).abi, bundled(name).bytecode, args);
  const authorizer = await deploy("BalancerAuthorizer", [anvil.account]);
  const vault = await deploy("BalancerVault", [authorizer, wrapped, 90n * DAY, 30n * DAY]);
  const feePercentages = await deploy("BalancerFeePercentages", [vault, 10n ** 18n, 10n ** 18n]);
  const ofPools = [vault, feePercentages, "", ""];
  const weightedFactory = await deploy("BalancerWeightedPoolFactory", ofPools);
  const stableFactory = await deploy("BalancerComposableStablePoolFactory", ofPools);
  return { vault, weightedFactory, stableFactory, authorizer, feePercentages };
}

/** Calldata for a bundled contract. */
export function balancerCall(name: BundledContract, functionName: string, args: readonly unknown[]): Hex {
  return encodeFunctionData({ abi: bundled(name).abi, functionName, args });
}

/** Lets the account, or another one, do what the authorizer has to allow. */
export async function allow(
  anvil: Anvil,
  world: BalancerWorld,
  on: Address,
  abi: Abi,
  name: string,
  whom: Address = anvil.account,
): Promise<void> {
  const item = abi.find((each) => each.type === "function" && each.name === name);
  if (item?.type !== "function") throw new Error(`no function ${name}`);
  const selector = keccak256(toHex(`${name}(${item.inputs.map(({ type }) => type).join()})`)).slice(0, 10);
  const role = await anvil.read<Hex>(on, abi, "getActionId", [selector]);
  await anvil.send(world.authorizer, balancerCall("BalancerAuthorizer", "grantRole", [role, whom]));
  await anvil.mine();
}

export async function createdBy(
  anvil: Anvil,
  world: BalancerWorld,
  factory: Address,
  data: Hex,
): Promise<BalancerPool> {
  await anvil.send(factory, data);
  const logs = await anvil.logsOf(await anvil.mine());
  const log = logs.find(({ address }) => address === factory);
  if (log === undefined) throw new Error("no pool was created");
  const address = toAddress(`0x${log.topics[1]?.slice(26)}`);
  const poolId = await anvil.read<Hex>(address, bundled("BalancerWeightedPool").abi, "getPoolId");
  const [tokens] = await anvil.read<[string[]]>(world.vault, bundled("BalancerVault").abi, "getPoolTokens", [poolId]);
  return { address, poolId, tokens: tokens.map((token) => toAddress(token)) };
}

/** Tokens in ascending order, as factories want them. */
export async function createWeighted(
  anvil: Anvil,
  world: BalancerWorld,
  terms: { readonly tokens: readonly Address[]; readonly weights: readonly bigint[]; readonly fee: bigint },
): Promise<BalancerPool> {
  const { tokens, weights, fee } = terms;
  const args = ["W", "W", tokens, weights, tokens.map(() => ZERO_ADDRESS), fee, anvil.account];
  return createdBy(anvil, world, world.weightedFactory, balancerCall("BalancerWeightedPoolFactory", "create", args));
}

export interface StableTerms {
  readonly tokens: readonly Address[];
  readonly amplification: bigint;
  /** The zero address where a token has none. */
  readonly rateProviders: readonly Address[];
  readonly durations: readonly bigint[];
  readonly exempt: readonly boolean[];
  readonly fee: bigint;
}

export async function createStable(anvil: Anvil, world: BalancerWorld, terms: StableTerms): Promise<BalancerPool> {
  const { tokens, amplification, rateProviders, durations, exempt, fee } = terms;
  const args = ["S", "S", tokens, amplification, rateProviders, durations, exempt, fee, anvil.account];
  const data = balancerCall("BalancerComposableStablePoolFactory", "create", args);
  return createdBy(anvil, world, world.stableFactory, data);
}

export async function deployRateProvider(anvil: Anvil, rate: bigint): Promise<Address> {
  const { abi, bytecode } = compiled("DevnetRateProvider");
  return anvil.deploy(abi, bytecode, [rate]);
}

/** Sets the protocol's share of fees and of the growth in value; pools remember it from their creation. 18 decimals. */
export async function setProtocolFees(anvil: Anvil, world: BalancerWorld, swap: bigint, growth: bigint): Promise<void> {
  const { abi } = bundled("BalancerFeePercentages");
  const vaultAbi = bundled("BalancerVault").abi;
  const collector = toAddress(await anvil.read<string>(world.vault, vaultAbi, "getProtocolFeesCollector"));
  await allow(anvil, world, world.feePercentages, abi, "setFeeTypePercentage");
  await allow(anvil, world, collector, COLLECTOR, "setSwapFeePercentage", world.feePercentages);
  for (const [type, part] of [
    [0n, swap],
    [2n, growth],
  ])
    await anvil.send(
      world.feePercentages,
      balancerCall("BalancerFeePercentages", "setFeeTypePercentage", [type, part]),
    );
  await anvil.mine();
}

/** The first deposit; amounts in the vault's order, the most that a stable pool may make of its share among them. */
export async function fill(
  anvil: Anvil,
  world: BalancerWorld,
  pool: BalancerPool,
  amounts: readonly bigint[],
): Promise<void> {
  for (const token of pool.tokens) {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [world.vault, maxUint256] });
    if (token !== pool.address) await anvil.send(token, data);
  }
  const userData = encodeAbiParameters([{ type: "uint256" }, { type: "uint256[]" }], [0n, amounts]);
  const request = {
    assets: pool.tokens,
    maxAmountsIn: amounts.map(() => maxUint256),
    userData,
    fromInternalBalance: false,
  };
  const args = [pool.poolId, anvil.account, anvil.account, request];
  await anvil.send(world.vault, balancerCall("BalancerVault", "joinPool", args));
  await anvil.mine();
}

/**
 * Puts Multicall3 where the vault is: from then on, calls through it come to pools as the vault's, with whatever balances
 * one likes.
 */
export async function beTheVault(anvil: Anvil, world: BalancerWorld): Promise<void> {
  const code = await anvil.rpc<Hex>("eth_getCode", [anvil.multicall, "latest"]);
  await anvil.rpc("anvil_setCode", [world.vault, code]);
}

/** Answers of calls that the vault makes, in order; undefined where one reverted. See `beTheVault`. */
export async function callsOfVault(
  anvil: Anvil,
  world: BalancerWorld,
  calls: readonly { readonly to: Address; readonly data: Hex }[],
): Promise<readonly (Hex | undefined)[]> {
  const answers: (Hex | undefined)[] = [];
  for (let from = 0; from < calls.length; from += 500) {
    const slice = calls
      .slice(from, from + 500)
      .map(({ to, data }) => ({ target: to, allowFailure: true, callData: data }));
    const results = await anvil.read<readonly { success: boolean; returnData: Hex }[]>(
      world.vault,
      bundled("Multicall3").abi,
      "aggregate3",
      [slice],
    );
    answers.push(...results.map(({ success, returnData }) => (success ? returnData : undefined)));
  }
  return answers;
}

/** Calldata of a swap in the vault for the account. */
export function swapData(
  account: Address,
  swap: {
    readonly poolId: Hex;
    readonly exactIn: boolean;
    readonly sellToken: Address;
    readonly buyToken: Address;
    readonly amount: bigint;
  },
): Hex {
  const { poolId, exactIn, sellToken, buyToken, amount } = swap;
  const single = { poolId, kind: exactIn ? 0 : 1, assetIn: sellToken, assetOut: buyToken, amount, userData: "0x" };
  const funds = { sender: account, fromInternalBalance: false, recipient: account, toInternalBalance: false };
  return balancerCall("BalancerVault", "swap", [single, funds, exactIn ? 0n : maxUint256, maxUint256]);
}

/** Amount that a swap would pay or cost, by the vault's own query; undefined if it would revert. */
export async function queried(
  anvil: Anvil,
  world: BalancerWorld,
  swap: Parameters<typeof swapData>[1],
): Promise<bigint | undefined> {
  const { poolId, exactIn, sellToken, buyToken, amount } = swap;
  const step = { poolId, assetInIndex: 0n, assetOutIndex: 1n, amount, userData: "0x" };
  const { account } = anvil;
  const funds = { sender: account, fromInternalBalance: false, recipient: account, toInternalBalance: false };
  try {
    const deltas = await anvil.read<readonly bigint[]>(world.vault, bundled("BalancerVault").abi, "queryBatchSwap", [
      ...[exactIn ? 0 : 1, [step], [sellToken, buyToken], funds],
    ]);
    return exactIn ? -(deltas[1] as bigint) : deltas[0];
  } catch {
    return undefined;
  }
}
