import { encodeFunctionData, type Hex } from "viem";
import { FAR } from "../../../fixtures/settlement/swap.ts";
import { type Address, ZERO_ADDRESS } from "../../../src/domain/address.ts";
import { gatewayArtifact } from "../../../src/settlement/artifacts.ts";

/** The gateway's terms as the contract takes them. */
export interface RawTerms {
  readonly executor: Address;
  readonly sellToken: Address;
  readonly maxSellAmount: bigint;
  readonly buyToken: Address;
  readonly minBuyAmount: bigint;
  readonly recipient: Address;
  readonly deadline: bigint;
  readonly feeRatePpm: bigint;
  readonly feeRecipient: Address;
}

/** Calldata of a swap with any executor and any payload. */
export function rawSwap(
  terms: Pick<RawTerms, "executor" | "sellToken" | "buyToken"> & Partial<RawTerms>,
  payload: Hex,
): Hex {
  const rest = { recipient: ZERO_ADDRESS, deadline: FAR, feeRatePpm: 0n, feeRecipient: ZERO_ADDRESS };
  const all: RawTerms = { maxSellAmount: 1n, minBuyAmount: 1n, ...rest, ...terms };
  return encodeFunctionData({ abi: gatewayArtifact.abi, functionName: "swap", args: [all, payload] });
}
