export { NATIVE_TOKEN } from "../domain/address.ts";
export type { Answers } from "./answers.ts";
export { approvalsFor } from "./approval.ts";
export { toBaseUnits, toDecimal } from "./decimal.ts";
export type { BaseUnits, LadderRequest, PendingLog, PriceRequest, SwapRequest, TokensRequest } from "./request.ts";
export { type RetryOptions, withRetries } from "./retries.ts";
export { messageToSign, withSignature } from "./signature.ts";
export { type FailureKind, type FieldProblem, SwapCallError } from "./swap-call-error.ts";
export {
  type CallOptions,
  type Chain,
  createSwapClient,
  type Ladder,
  type Price,
  type Prices,
  type Quote,
  type Sources,
  type SwapClient,
  type Tokens,
  type WatchUpdate,
} from "./swap-client.ts";
export { type TransactionArguments, transactionOf } from "./transaction.ts";
export { createWebTransport } from "./web-transport.ts";
