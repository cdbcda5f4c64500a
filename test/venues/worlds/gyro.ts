import { type Abi, type AbiParameter, encodeFunctionData, type Hex } from "viem";
import { bundled } from "../../../src/devnet/contracts/bundle.ts";
import { type Address, toAddress, ZERO_ADDRESS } from "../../../src/domain/address.ts";
import type { GyroKind } from "../../../src/pools/gyro/state.ts";
import type { BalancerV2Record } from "../../../src/venues/balancer-v2/record.ts";
import type { Anvil } from "./anvil.ts";
import { type BalancerPool, type BalancerWorld, createdBy } from "./balancer.ts";
import { compiled } from "./compiled.ts";

/** Terms that a pool of Gyroscope is made with; tokens in ascending order. */
export interface GyroTerms {
  readonly kind: GyroKind;
  readonly tokens: readonly Address[];
  /** As in the state of a pool. */
  readonly parameters: readonly bigint[];
  readonly fee: bigint;
  /** By token; none for a pool of three. */
  readonly rateProviders: readonly (Address | undefined)[];
}

/** Makes pools in the vault of a world. */
export type MakeGyro = (terms: GyroTerms) => Promise<BalancerPool>;

/** The kinds in the order of our contract. */
const KINDS: readonly GyroKind[] = ["2clp", "3clp", "eclp"];

/** Factories of our own pools in the vault of a world, as a record has them. */
export async function deployGyro(anvil: Anvil, world: BalancerWorld) {
  const { abi, bytecode } = compiled("DevnetGyroFactory");
  const factories: BalancerV2Record["factories"][number][] = [];
  for (const [index, kind] of KINDS.entries())
    factories.push({ factory: await anvil.deploy(abi, bytecode, [world.vault, index]), kind: `gyro-${kind}` });
  const make: MakeGyro = ({ kind, tokens, parameters, rateProviders, fee }) => {
    const providers = rateProviders.map((provider) => provider ?? ZERO_ADDRESS);
    const data = encodeFunctionData({ abi, functionName: "create", args: [tokens, parameters, providers, fee] });
    return createdBy(anvil, world, factories[KINDS.indexOf(kind)]!.factory, data);
  };
  return { factories, make };
}

/** A contract as it was compiled, with the names of libraries in its code. */
export interface UnlinkedContract {
  readonly abi: Abi;
  readonly bytecode: string;
}

/** Pools of Gyroscope's own bytecode, made without their factory. */
export async function makersOfGyro(
  anvil: Anvil,
  world: BalancerWorld,
  pool: UnlinkedContract,
  libraries: Readonly<Record<string, Address>>,
): Promise<MakeGyro> {
  const linked = pool.bytecode.replace(/__(\w+?)_+/g, (_, name: string) => {
    const library = libraries[name];
    if (library === undefined) throw new Error(`no library ${name}`);
    return library.slice(2);
  }) as Hex;
  const made = pool.abi.find(({ type }) => type === "constructor");
  if (made?.type !== "constructor") throw new Error("no constructor");
  return async (terms) => {
    const args = made.inputs.map((input) => argumentOf(input, valuesOf(anvil, world, terms)));
    const address = await anvil.deploy(pool.abi, linked, args);
    return registeredPool(anvil, world, address);
  };
}

/** The pool that a contract has registered of itself. */
async function registeredPool(anvil: Anvil, world: BalancerWorld, address: Address): Promise<BalancerPool> {
  const poolId = await anvil.read<Hex>(address, bundled("BalancerWeightedPool").abi, "getPoolId");
  const [tokens] = await anvil.read<[string[]]>(world.vault, bundled("BalancerVault").abi, "getPoolTokens", [poolId]);
  return { address, poolId, tokens: tokens.map((token) => toAddress(token)) };
}

/** Arguments by the names that constructors have for them. */
function valuesOf({ account }: Anvil, { vault }: BalancerWorld, terms: GyroTerms): Readonly<Record<string, unknown>> {
  const { tokens, parameters, fee, rateProviders } = terms;
  const [p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11] = parameters;
  return {
    ...{ vault, name: "G", symbol: "G", tokens, token0: tokens[0], token1: tokens[1], swapFeePercentage: fee },
    ...{ pauseWindowDuration: 7_776_000n, bufferPeriodDuration: 2_592_000n, owner: account, oracleEnabled: false },
    ...{ sqrtAlpha: p0, sqrtBeta: p1, root3Alpha: p0, configAddress: account, pauseManager: account },
    ...{ rateProvider0: rateProviders[0] ?? ZERO_ADDRESS, rateProvider1: rateProviders[1] ?? ZERO_ADDRESS },
    ...{ capManager: account, capParams: { capEnabled: false, perAddressCap: 0n, globalCap: 0n } },
    // The prices are named for who reads them: no swap counts with them.
    eclpParams: { alpha: 1n, beta: 2n, c: p0, s: p1, lambda: p2 },
    derivedEclpParams: { tauAlpha: { x: p3, y: p4 }, tauBeta: { x: p5, y: p6 }, u: p7, v: p8, w: p9, z: p10, dSq: p11 },
  };
}

/** An argument by the names of its parts. */
function argumentOf(parameter: AbiParameter, values: Readonly<Record<string, unknown>>): unknown {
  const { name = "" } = parameter;
  if (name in values) return values[name];
  const components = (parameter as { readonly components?: readonly AbiParameter[] }).components;
  if (components === undefined) throw new Error(`no value for ${name}`);
  return Object.fromEntries(components.map((part) => [part.name as string, argumentOf(part, values)]));
}

/** Calldata of the vault's question what a swap would move. */
export function queryData(
  account: Address,
  swap: { readonly poolId: Hex; readonly exactIn: boolean; readonly pair: readonly Address[]; readonly amount: bigint },
): Hex {
  const { poolId, exactIn, pair, amount } = swap;
  const step = { poolId, assetInIndex: 0n, assetOutIndex: 1n, amount, userData: "0x" };
  const funds = { sender: account, fromInternalBalance: false, recipient: account, toInternalBalance: false };
  const args = [exactIn ? 0 : 1, [step], pair, funds];
  return encodeFunctionData({ abi: bundled("BalancerVault").abi, functionName: "queryBatchSwap", args });
}
