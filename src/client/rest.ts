import type { Answers } from "./answers.ts";
import type { WatchUpdate as Update } from "./swap-client.ts";

export { NATIVE_TOKEN } from "../domain/address.ts";
export { approvalsFor } from "./approval.ts";
export { toBaseUnits, toDecimal } from "./decimal.ts";
export type { BaseUnits, LadderRequest, PendingLog, PriceRequest, SwapRequest, TokensRequest } from "./request.ts";
export { createRestClient, type RestOptions } from "./rest-client.ts";
export { type RetryOptions, withRetries } from "./retries.ts";
export { messageToSign, withSignature } from "./signature.ts";
export { type FailureKind, type FieldProblem, SwapCallError } from "./swap-call-error.ts";
export type { CallOptions, SwapClient } from "./swap-client.ts";
export { type TransactionArguments, transactionOf } from "./transaction.ts";
export type { Answers };

/** An indicative price, field by field as the API documents it. Amounts are strings of base units. */
export type Price = Answers["price"];
/** A price with the transaction that does exactly what it says. */
export type Quote = Answers["quote"];
/** Update of a watched price. */
export type WatchUpdate = Update<Price>;
