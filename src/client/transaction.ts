import type { Hex } from "../domain/address.ts";
import { isAddressText } from "../domain/address.ts";
import type { Answers } from "./answers.ts";

/** Arguments of viem's `sendTransaction`, without the account. */
export interface TransactionArguments {
  readonly to: Hex;
  readonly data: Hex;
  /** Wei. */
  readonly value: bigint;
  /** Gas limit; left out where the wallet has to estimate. */
  readonly gas?: bigint;
}

/**
 * The transaction of a quote, to be sent as it is.
 * @throws RangeError for an answer that is no quote
 */
export function transactionOf(
  quote: Pick<Answers["quote"], "to" | "data" | "value" | "gas">,
): Required<TransactionArguments> {
  return {
    to: addressOf(quote.to, "to"),
    data: bytesOf(quote.data),
    value: BigInt(quote.value),
    gas: BigInt(quote.gas),
  };
}

/** @throws RangeError naming the field */
export function addressOf(text: string, field: string): Hex {
  if (!isAddressText(text)) throw new RangeError(`${field} is no address: ${text}`);
  return text;
}

function bytesOf(text: string): Hex {
  if (!/^0x(?:[0-9a-f]{2})+$/i.test(text)) throw new RangeError("data is not hex");
  return text as Hex;
}
