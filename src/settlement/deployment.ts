import type { Address, Hex } from "../domain/address.ts";
import { allContracts, type SettlementContract, settlementContracts } from "./contracts.ts";
import { CREATE2_DEPLOYER } from "./create2-deployer.ts";

/** Node access that a check of deployed code needs. */
export interface CodeReader {
  /** The code at an address at the newest block; `0x` where there is none. */
  codeAt(address: Address): Promise<Hex>;
}

/** Node access and paying account that deploying needs. */
export interface Deployer extends CodeReader {
  /** Sends a transaction and answers when it is mined; throws when it reverts. */
  send(transaction: { readonly to: Address; readonly data: Hex }): Promise<void>;
}

/** State of the code at the address of one of our contracts. Throws only what `reader` throws. */
export async function deploymentState(
  reader: CodeReader,
  { address, runtimeCode }: SettlementContract,
): Promise<"ours" | "absent" | "other code"> {
  const code = await reader.codeAt(address);
  if (code === "0x") return "absent";
  return code.toLowerCase() === runtimeCode.toLowerCase() ? "ours" : "other code";
}

/**
 * Whether one of our contracts has yet to be deployed.
 * @throws Error when other code stands at its address; what `reader` throws.
 */
export async function isMissing(reader: CodeReader, contract: SettlementContract): Promise<boolean> {
  const standing = await deploymentState(reader, contract);
  if (standing === "other code") throw otherCode(contract);
  if (standing === "ours") return false;
  return true;
}

/** Whether the chain has the contract that deploys ours. Throws only what `reader` throws. */
export async function hasCreate2Deployer(reader: CodeReader): Promise<boolean> {
  return (await reader.codeAt(CREATE2_DEPLOYER)) !== "0x";
}

/** Whether all our contracts stand on the chain with exactly the code we know. Throws only what `reader` throws. */
export async function isDeployed(reader: CodeReader, wrappedNative: Address): Promise<boolean> {
  const standing = await Promise.all(contractsOf(wrappedNative).map((contract) => deploymentState(reader, contract)));
  return standing.every((state) => state === "ours");
}

/**
 * Deploys what is missing, one after another, through the CREATE2 deployer, and checks the code afterwards. Doing it twice
 * is harmless, and so is somebody else who does it at the same time. Answers the contracts that were deployed now.
 * @throws Error when the chain has no CREATE2 deployer, or other code stands at one of the addresses.
 */
export async function deploySettlement(
  deployer: Deployer,
  wrappedNative: Address,
): Promise<readonly SettlementContract[]> {
  const fresh: SettlementContract[] = [];
  for (const contract of contractsOf(wrappedNative)) {
    if (!(await isMissing(deployer, contract))) continue;
    if (!(await hasCreate2Deployer(deployer))) {
      throw new Error(`the CREATE2 deployer ${CREATE2_DEPLOYER} is not on this chain: deploy it first`);
    }
    try {
      await deployer.send({ to: CREATE2_DEPLOYER, data: contract.deployment });
      fresh.push(contract);
    } catch (error) {
      // Anybody may put the same code there meanwhile: the CREATE2 deployer then has nothing left to do, and reverts.
      if ((await deploymentState(deployer, contract)) === "absent") throw error;
    }
    if ((await deploymentState(deployer, contract)) !== "ours") throw otherCode(contract);
  }
  return fresh;
}

function otherCode({ address, name }: SettlementContract): Error {
  return new Error(`the code at ${address} is not that of our ${name}`);
}

function contractsOf(wrappedNative: Address): readonly SettlementContract[] {
  return allContracts(settlementContracts(wrappedNative));
}
