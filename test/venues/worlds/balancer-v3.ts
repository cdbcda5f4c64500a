import {
  type Abi,
  concat,
  encodeFunctionData,
  erc20Abi,
  getContractAddress,
  type Hex,
  keccak256,
  maxUint256,
  numberToHex,
  pad,
} from "viem";
import { type BundledContract, bundled } from "../../../src/devnet/contracts/bundle.ts";
import { type Address, toAddress, ZERO_ADDRESS } from "../../../src/domain/address.ts";
import type { Anvil } from "./anvil.ts";
import { compiled } from "./compiled.ts";

/** Balancer V3's vault with two factories, and our desk that trades there. */
export interface BalancerV3World {
  readonly vault: Address;
  readonly weightedFactory: Address;
  readonly stableFactory: Address;
  readonly feeController: Address;
  readonly authorizer: Address;
  readonly desk: Address;
}

export interface V3Token {
  readonly token: Address;
  /** The zero address where its value is one. */
  readonly rateProvider: Address;
  readonly paysYieldFees: boolean;
}

/** Tokens worth what they are, in the order in which the vault wants them. */
export function plainV3Tokens(tokens: readonly Address[]): readonly V3Token[] {
  const inOrder = tokens.toSorted((a, b) => (a < b ? -1 : 1));
  return inOrder.map((token) => ({ token, rateProvider: ZERO_ADDRESS, paysYieldFees: false }));
}

const DAY = 86_400;
const MIN_TRADE = 10n ** 6n;
/** Storage slot of the vault's pool balances (VaultStorage.sol: the sixth of its variables). */
const BALANCES_SLOT = 5n;
const desk = compiled("DevnetBalancerV3");

/** `minWrap`: the least that its buffers trade. */
export async function deployBalancerV3(anvil: Anvil, minWrap = MIN_TRADE): Promise<BalancerV3World> {
  const deploy = (name: BundledContract, args: readonly unknown[]) =>
    anvil.deploy(bundled(name).abi, bundled(name).bytecode, args);
  const deskAddress = await anvil.deploy(desk.abi, desk.bytecode);
  const authorizer = await deploy("BalancerAuthorizer", [anvil.account]);
  // The vault's parts want its address before it is there: the fourth contract from here.
  const nonce = BigInt(await anvil.rpc<Hex>("eth_getTransactionCount", [anvil.account, "latest"]));
  const vault = toAddress(getContractAddress({ from: anvil.account, nonce: nonce + 3n }));
  const admin = await deploy("BalancerV3VaultAdmin", [vault, 90 * DAY, 30 * DAY, MIN_TRADE, minWrap]);
  const extension = await deploy("BalancerV3VaultExtension", [vault, admin]);
  const feeController = await deploy("BalancerV3ProtocolFeeController", [vault, 5n * 10n ** 17n, 10n ** 17n]);
  const made = await deploy("BalancerV3Vault", [extension, authorizer, feeController]);
  if (made !== vault) throw new Error("the vault is elsewhere");
  const weightedFactory = await deploy("BalancerV3WeightedPoolFactory", [vault, 365 * DAY, "", ""]);
  const stableFactory = await deploy("BalancerV3StablePoolFactory", [vault, 365 * DAY, "", ""]);
  return { vault, weightedFactory, stableFactory, feeController, authorizer, desk: deskAddress };
}

/** A factory of the first versions, for pools of the same vault. */
export function deployFirstFactory(
  anvil: Anvil,
  vault: Address,
  { abi, bytecode }: { readonly abi: Abi; readonly bytecode: Hex },
): Promise<Address> {
  return anvil.deploy(abi, bytecode, [vault, 365 * DAY, "", ""]);
}

/** Tokens in ascending order; `weights` for a weighted pool, `amplification` for a stable one. */
export async function createV3Pool(
  anvil: Anvil,
  world: BalancerV3World,
  terms: {
    readonly tokens: readonly V3Token[];
    readonly fee: bigint;
    readonly salt: number;
    readonly hooks?: Address;
    /** Absent: the newest. */
    readonly factory?: Address;
  } & ({ readonly weights: readonly bigint[] } | { readonly amplification: bigint }),
): Promise<Address> {
  const weighted = "weights" in terms;
  const factory = terms.factory ?? (weighted ? world.weightedFactory : world.stableFactory);
  const { abi } = bundled(weighted ? "BalancerV3WeightedPoolFactory" : "BalancerV3StablePoolFactory");
  const config = terms.tokens.map(({ token, rateProvider, paysYieldFees }) => ({
    ...{ token, rateProvider, paysYieldFees },
    tokenType: rateProvider === ZERO_ADDRESS ? 0 : 1,
  }));
  const roles = { pauseManager: anvil.account, swapFeeManager: anvil.account, poolCreator: ZERO_ADDRESS };
  const args = [
    ...["Pool", "POOL", config, weighted ? terms.weights : terms.amplification, roles, terms.fee],
    ...[terms.hooks ?? ZERO_ADDRESS, false, false, numberToHex(terms.salt, { size: 32 })],
  ];
  await anvil.send(factory, encodeFunctionData({ abi, functionName: "create", args }));
  const logs = await anvil.logsOf(await anvil.mine());
  const log = logs.find(({ address, topics }) => address === world.vault && topics[2] === pad(factory));
  if (log === undefined) throw new Error("no pool was registered");
  return toAddress(`0x${log.topics[1]?.slice(26)}`);
}

/** Lets the desk take the account's tokens. */
export async function approveDesk(anvil: Anvil, world: BalancerV3World, tokens: readonly Address[]): Promise<void> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [world.desk, maxUint256] });
  for (const token of tokens) await anvil.send(token, data);
  await anvil.mine();
}

export function deskCall(functionName: string, args: readonly unknown[]): Hex {
  return encodeFunctionData({ abi: desk.abi, functionName, args });
}

export function v3Swap(pool: Address, exactIn: boolean, tokenIn: Address, tokenOut: Address, amountGiven: bigint) {
  const limit = exactIn ? 0n : maxUint256;
  return { kind: exactIn ? 0 : 1, pool, tokenIn, tokenOut, amountGiven, limit, userData: "0x" };
}

/** Writes a pool's balances where the vault keeps them: raw ones, and what they were worth the last time. */
export async function setV3Balances(
  anvil: Anvil,
  world: BalancerV3World,
  pool: Address,
  balances: readonly { readonly raw: bigint; readonly live: bigint }[],
): Promise<void> {
  const ofPool = keccak256(concat([pad(pool), numberToHex(BALANCES_SLOT, { size: 32 })]));
  for (const [i, { raw, live }] of balances.entries()) {
    const slot = keccak256(concat([numberToHex(i, { size: 32 }), ofPool]));
    await anvil.rpc("anvil_setStorageAt", [world.vault, slot, numberToHex((live << 128n) | raw, { size: 32 })]);
  }
}
