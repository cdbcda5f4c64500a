import type { Address, Hex } from "../domain/address.ts";
import { CREATE2_DEPLOYER, type SettlementContract, settlementContracts } from "./contracts.ts";

/** What checking needs of a node. */
export interface CodeReader {
  /** The code at an address at the newest block; `0x` where there is none. */
  codeAt(address: Address): Promise<Hex>;
}

/** What deploying needs: a node and an account that pays. */
export interface Deployer extends CodeReader {
  /** Sends a transaction and answers when it is mined; throws when it reverts. */
  send(transaction: { readonly to: Address; readonly data: Hex }): Promise<void>;
}

/** Whether all our contracts stand on the chain with exactly the code we know. Throws only what `reader` throws. */
export async function isDeployed(reader: CodeReader, wrappedNative: Address): Promise<boolean> {
  const contracts = contractsOf(wrappedNative);
  const codes = await Promise.all(contracts.map((contract) => reader.codeAt(contract.address)));
  return contracts.every((contract, i) => codes[i]?.toLowerCase() === contract.runtimeCode.toLowerCase());
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
    if ((await deployer.codeAt(contract.address)) === "0x") {
      if ((await deployer.codeAt(CREATE2_DEPLOYER)) === "0x") {
        throw new Error(`the CREATE2 deployer ${CREATE2_DEPLOYER} is not on this chain: deploy it first`);
      }
      try {
        await deployer.send({ to: CREATE2_DEPLOYER, data: contract.deployment });
        fresh.push(contract);
      } catch (error) {
        // Anybody may put the same code there meanwhile: the CREATE2 deployer then has nothing left to do, and reverts.
        if ((await deployer.codeAt(contract.address)) === "0x") throw error;
      }
    }
    const code = await deployer.codeAt(contract.address);
    if (code.toLowerCase() !== contract.runtimeCode.toLowerCase()) {
      throw new Error(`the code at ${contract.address} is not that of our ${contract.name}`);
    }
  }
  return fresh;
}

function contractsOf(wrappedNative: Address): readonly SettlementContract[] {
  return Object.values(settlementContracts(wrappedNative));
}
