import { type Hex, ZERO_ADDRESS } from "../domain/address.ts";
import type { Answers } from "./answers.ts";
import { addressOf, type TransactionArguments } from "./transaction.ts";

/** `approve(address,uint256)` of ERC-20. */
const APPROVE = "0x095ea7b3";
const MOST = 2n ** 256n - 1n;

/**
 * The approvals that a taker has to send before the quote's transaction, in order: none for the native token, for wrapping
 * and when enough is approved; two when too little is, since tokens like USDT change an allowance only by way of zero.
 * The spender is always the quote's `allowanceTarget`.
 * @param taker the `takerAddress` that the quote was asked for; without one the quote cannot know what is approved, and an
 *   approval is always returned
 * @param amount base units to approve; by default what the quote can spend at most, so that nothing stays open
 * @throws RangeError when `amount` is less than the quote can spend, or the quote names another spender
 */
export function approvalsFor(
  quote: Pick<Answers["quote"], "allowanceTarget" | "sellTokenAddress" | "maxSellAmount" | "issues"> &
    Partial<Pick<Answers["quote"], "permit">>,
  taker: string | undefined,
  amount: bigint = BigInt(quote.maxSellAmount),
): readonly TransactionArguments[] {
  const spender = addressOf(quote.allowanceTarget, "allowanceTarget");
  if (spender === ZERO_ADDRESS) return [];
  const lacking = quote.issues?.allowance;
  // A permit is the approval itself.
  if (quote.permit?.type === "EIP2612") return [];
  if (lacking === undefined && taker !== undefined) return [];
  if (lacking !== undefined && lacking.spender.toLowerCase() !== spender.toLowerCase()) {
    throw new RangeError(`the quote wants ${lacking.spender} approved, and its allowanceTarget is ${spender}`);
  }
  const least = BigInt(quote.maxSellAmount);
  if (amount < least || amount > MOST)
    throw new RangeError(`the quote can spend ${least}: ${amount} cannot be approved`);
  const token = addressOf(quote.sellTokenAddress, "sellTokenAddress");
  const approve = (allowed: bigint): TransactionArguments => ({
    to: token,
    data: approveCall(spender, allowed),
    value: 0n,
  });
  const isOpen = lacking !== undefined && BigInt(lacking.actual) > 0n;
  return isOpen ? [approve(0n), approve(amount)] : [approve(amount)];
}

function approveCall(spender: Hex, amount: bigint): Hex {
  const word = (hex: string) => hex.padStart(64, "0");
  return `${APPROVE}${word(spender.slice(2).toLowerCase())}${word(amount.toString(16))}`;
}
