import { readFileSync } from "node:fs";
import { type Abi, concat, encodeDeployData, getCreate2Address, type Hex, keccak256, zeroHash } from "viem";
import { type Address, toAddress } from "../../domain/address.ts";
import { CREATE2_DEPLOYER } from "../../settlement/create2-deployer.ts";
import type { Transaction } from "../node/node-transactions.ts";

/** A contract that we wrote for the devnet, compiled from `contracts/devnet`. */
export interface OwnContract {
  readonly name: string;
  readonly abi: Abi;
  readonly bytecode: Hex;
}

export function ownContract(name: string): OwnContract {
  const file = new URL(`../../../contracts/out/${name}.json`, import.meta.url);
  const { abi, bytecode } = JSON.parse(readFileSync(file, "utf8")) as { readonly abi: Abi; readonly bytecode: Hex };
  return { name, abi, bytecode };
}

/** CREATE2 address of a contract, whatever was deployed before it, and the transaction that deploys it there. */
export function deploymentOf(
  { name, abi, bytecode }: OwnContract,
  args: readonly unknown[] = [],
): { readonly address: Address; readonly transaction: Transaction } {
  const initCode = encodeDeployData({ abi, bytecode, args });
  const address = getCreate2Address({ from: CREATE2_DEPLOYER, salt: zeroHash, bytecodeHash: keccak256(initCode) });
  return {
    address: toAddress(address),
    transaction: { label: `deploy ${name}`, to: CREATE2_DEPLOYER, data: concat([zeroHash, initCode]) },
  };
}
