import { concat, encodeAbiParameters, getContractAddress, type Hex, pad, zeroHash } from "viem";
import { type Address, oncePer, toAddress } from "../domain/address.ts";
import type { ContractCode } from "../quoting/ports.ts";
import {
  type Artifact,
  executorArtifact,
  gatewayArtifact,
  orderSettlementArtifact,
  partArtifacts,
} from "./artifacts.ts";
import { CREATE2_DEPLOYER } from "./create2-deployer.ts";
import type { PartName } from "./venue-codes.ts";

/** Part of the contracts' addresses: the same code with the same salt stands at the same address everywhere. */
const SALT = zeroHash;

/** One contract as it has to stand on the chain. */
export interface SettlementContract {
  readonly name: "Gateway" | "Executor" | "OrderSettlement" | PartName;
  readonly address: Address;
  /** Calldata for the CREATE2 deployer: salt and creation code with its constructor arguments. */
  readonly deployment: Hex;
  readonly initCode: Hex;
  /** The code that stands at `address` after deployment, immutables included. */
  readonly runtimeCode: Hex;
}

/** Settlement contracts of one chain. */
export interface SettlementContracts {
  /** Contract that takers approve and call. Its address is the same on every chain. */
  readonly gateway: SettlementContract;
  /** Contract that runs routes. Its address differs by the chain's wrapped native token. */
  readonly executor: SettlementContract;
  /** Contract that makers approve, which fills their orders. Its address is the same on every chain. */
  readonly orders: SettlementContract;
  /** Contracts that trade with the rarer venues for the executor, by delegatecall; the same on every chain. */
  readonly parts: readonly SettlementContract[];
}

/** Addresses and code of the settlement contracts for a chain with this wrapped native token. */
export const settlementContracts = oncePer((wrappedNative: Address): SettlementContracts => {
  const gateway = contractOf("Gateway", gatewayArtifact, {});
  const executor = contractOf("Executor", executorArtifact, { gateway: gateway.address, wrappedNative });
  const orders = contractOf("OrderSettlement", orderSettlementArtifact, {});
  const parts = Object.entries(partArtifacts).map(([name, artifact]) => contractOf(name as PartName, artifact, {}));
  return { gateway, executor, orders, parts };
});

/** All of them, in deployment order. */
export function allContracts({ gateway, executor, orders, parts }: SettlementContracts): readonly SettlementContract[] {
  return [gateway, ...parts, executor, orders];
}

/** Code and addresses of all of them: what a state override puts on a chain where they do not stand. */
export function settlementCode(wrappedNative: Address): readonly ContractCode[] {
  return allContracts(settlementContracts(wrappedNative)).map(({ address, runtimeCode }) => ({ address, runtimeCode }));
}

/** `immutables`: the constructor's arguments in order, each named as the immutable that it becomes. */
function contractOf(
  name: SettlementContract["name"],
  artifact: Artifact,
  immutables: Readonly<Record<string, Address>>,
): SettlementContract {
  const values = Object.values(immutables);
  const args = encodeAbiParameters(
    values.map(() => ({ type: "address" })),
    values,
  );
  const initCode = concat([artifact.bytecode, args]);
  const address = toAddress(
    getContractAddress({ opcode: "CREATE2", from: CREATE2_DEPLOYER, salt: SALT, bytecode: initCode }),
  );
  return {
    name,
    address,
    deployment: concat([SALT, initCode]),
    initCode,
    // A part knows its own address.
    runtimeCode: withImmutables(artifact, { ...immutables, part: address }),
  };
}

function withImmutables(artifact: Artifact, immutables: Readonly<Record<string, Address>>): Hex {
  let code: string = artifact.deployedBytecode;
  for (const [name, places] of Object.entries(artifact.immutableReferences)) {
    const value = immutables[name];
    if (value === undefined) throw new Error(`no value for the immutable ${name}`);
    const word = pad(value, { size: 32 }).slice(2);
    for (const { start } of places) {
      const at = 2 + 2 * start;
      code = code.slice(0, at) + word + code.slice(at + 64);
    }
  }
  return code as Hex;
}
