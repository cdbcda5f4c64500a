import type { Hex } from "../domain/address.ts";
import type { Answers } from "./answers.ts";
import { type TransactionArguments, transactionOf } from "./transaction.ts";

/** r, s and v. */
const KEY_SIGNATURE_BYTES = 65;
const WORD_DIGITS = 64;

/**
 * The message that a quote with `approvalMode` "permit2" or "eip2612" waits for, as `eth_signTypedData_v4` takes it and as
 * viem's `signTypedData` does; undefined where nothing is to be signed.
 */
export function messageToSign(quote: Pick<Answers["quote"], "permit">): Record<string, unknown> | undefined {
  return quote.permit?.eip712 as Record<string, unknown> | undefined;
}

/**
 * The transaction of a quote with its signature behind the calldata: the length in a word, then the bytes in whole words.
 * @param signature of a key (65 bytes r, s, v), or for Permit2 whatever a smart wallet's contract takes for one (ERC-1271)
 * @throws RangeError when the quote waits for no signature, or `signature` is none
 */
export function withSignature(
  quote: Pick<Answers["quote"], "to" | "data" | "value" | "gas" | "permit">,
  signature: string,
): Required<TransactionArguments> {
  if (quote.permit === undefined) throw new RangeError("the quote waits for no signature");
  const bytes = bytesOf(signature);
  const size = bytes.length / 2;
  if (quote.permit.type === "EIP2612" && size !== KEY_SIGNATURE_BYTES) {
    throw new RangeError(`a permit is signed by 65 bytes, not ${size}`);
  }
  const transaction = transactionOf(quote);
  const padded = bytes.padEnd(Math.ceil(bytes.length / WORD_DIGITS) * WORD_DIGITS, "0");
  const data: Hex = `${transaction.data}${size.toString(16).padStart(WORD_DIGITS, "0")}${padded}`;
  return { ...transaction, data };
}

/** Some signers write v as 0 or 1: contracts take 27 and 28. */
function bytesOf(signature: string): string {
  if (!/^0x(?:[0-9a-f]{2})+$/i.test(signature)) throw new RangeError("the signature is not hex");
  const digits = signature.slice(2).toLowerCase();
  const v = Number.parseInt(digits.slice(-2), 16);
  const isOld = digits.length === 2 * KEY_SIGNATURE_BYTES && v < 2;
  return isOld ? `${digits.slice(0, -2)}${(v + 27).toString(16)}` : digits;
}
