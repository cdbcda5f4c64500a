import { concat, encodeFunctionData, numberToHex, slice } from "viem";
import { type Address, type Hex, ZERO_ADDRESS } from "../domain/address.ts";
import { partsOf } from "../domain/swap-fee.ts";
import type { SignedBy, SwapTerms } from "../quoting/ports.ts";
import { gatewayArtifact } from "./artifacts.ts";
import type { GatewayOrder } from "./permits.ts";

/** All of a balance, in billionths. */
const WHOLE = 1_000_000_000n;

const SELECTOR_BYTES = 4;
const WORD = 32;

/** Whether plain terms say all: one fee at most, of what is bought, and an allowance. Their call is the cheapest. */
export function isPlain({ fee, wholeBalance, signed }: SwapTerms): boolean {
  return signed === undefined && wholeBalance !== true && fee?.fromSold !== true && partsOf(fee).length <= 1;
}

/** Terms as the order that the gateway takes. */
export function orderOfTerms(terms: SwapTerms, executor: Address): GatewayOrder {
  const { sellToken, maxSellAmount, buyToken, minBuyAmount, recipient, deadline, fee } = terms;
  return {
    ...{ executor, sellToken, maxSellAmount, buyToken, minBuyAmount, recipient, deadline },
    fees: partsOf(fee).map(({ ratePpm, recipient: to }) => ({ recipient: to, ratePpm })),
    feesFromSold: fee?.fromSold ?? false,
    balanceShare: terms.wholeBalance === true ? WHOLE : 0n,
  };
}

/** Calldata of the gateway's for a payload under terms. */
export function gatewayCall(terms: SwapTerms, executor: Address, payload: Hex): Hex {
  if (isPlain(terms)) return plainCall(terms, executor, payload);
  const order = orderOfTerms(terms, executor);
  if (terms.signed === undefined) return callOf("swapByOrder", [order, payload]);
  return terms.signed.kind === "eip2612"
    ? withoutSignature(callOf("swapOrderWithApproval", [order, "0x", payload]), 1)
    : withoutSignature(callOf("swapSignedOrder", [order, transferOf(terms.signed), payload]), 1, 2);
}

function plainCall(terms: SwapTerms, executor: Address, payload: Hex): Hex {
  const { sellToken, maxSellAmount, buyToken, minBuyAmount, recipient, deadline, fee } = terms;
  const amounts = { executor, sellToken, maxSellAmount, buyToken, minBuyAmount, recipient, deadline };
  const feeTerms = { feeRatePpm: fee?.ratePpm ?? 0n, feeRecipient: fee?.recipient ?? ZERO_ADDRESS };
  return callOf("swap", [{ ...amounts, ...feeTerms }, payload]);
}

function callOf(functionName: string, args: readonly unknown[]): Hex {
  return encodeFunctionData({ abi: gatewayArtifact.abi, functionName, args });
}

function transferOf({ nonce, owner }: Extract<SignedBy, { kind: "permit2" }>) {
  return { nonce, owner, signature: "0x" };
}

/**
 * Calldata that ends where a signature's length and bytes are to follow: the ABI lets dynamic values stand in any order, and
 * the one at `at` (a word of the arguments, or of the tuple that this word points to) is moved behind all others.
 */
function withoutSignature(data: Hex, at: number, within?: number): Hex {
  const args = slice(data, SELECTOR_BYTES);
  const wordAt = (offset: number) => Number(BigInt(slice(args, offset, offset + WORD)));
  const base = within === undefined ? 0 : wordAt(at * WORD);
  const place = base + (within ?? at) * WORD;
  const end = (args.length - 2) / 2;
  const pointer = numberToHex(end - base, { size: WORD });
  return concat([slice(data, 0, SELECTOR_BYTES), slice(args, 0, place), pointer, slice(args, place + WORD)]);
}
