import type { Abi } from "viem";
import executor from "../../contracts/out/Executor.json" with { type: "json" };
import gateway from "../../contracts/out/Gateway.json" with { type: "json" };
import orderSettlement from "../../contracts/out/OrderSettlement.json" with { type: "json" };
import type { Hex } from "../domain/address.ts";

/** A compiled contract of ours, as `tools/compile-contracts.ts` writes it. */
export interface Artifact {
  readonly abi: Abi;
  /** Creation code, without constructor arguments. */
  readonly bytecode: Hex;
  /** Runtime code; immutables are zero in it. */
  readonly deployedBytecode: Hex;
  /** Where in the runtime code each immutable stands, in bytes. */
  readonly immutableReferences: Readonly<
    Record<string, readonly { readonly start: number; readonly length: number }[]>
  >;
}

export const gatewayArtifact = gateway as unknown as Artifact;
export const executorArtifact = executor as unknown as Artifact;
export const orderSettlementArtifact = orderSettlement as unknown as Artifact;
