import type {
  BatchGetPricesResponse,
  GetPriceLadderResponse,
  GetPriceResponse,
  GetQuoteResponse,
  ListSourcesResponse,
} from "#gen/swap/v1/swap_pb.ts";
import type { GetChainResponse, ListTokensResponse } from "#gen/swap/v1/tokens_pb.ts";

/** A message without what protobuf adds to it: each message is one. */
export type Plain<Value> = Value extends readonly (infer Entry)[]
  ? readonly Plain<Entry>[]
  : Value extends { readonly $typeName: string }
    ? { readonly [Name in keyof Value as Name extends "$typeName" | "$unknown" ? never : Name]: Plain<Value[Name]> }
    : Value extends { readonly case: infer Case extends string; readonly value: infer Content }
      ? { readonly case: Case; readonly value: Plain<Content> }
      : Value;

/** Answers of the calls over gRPC and Connect: messages of protobuf. */
export interface MessageAnswers {
  readonly price: GetPriceResponse;
  readonly ladder: GetPriceLadderResponse;
  readonly prices: BatchGetPricesResponse;
  readonly quote: GetQuoteResponse;
  readonly sources: ListSourcesResponse;
  readonly tokens: ListTokensResponse;
  readonly chain: GetChainResponse;
}

/** Answers of the calls over every transport. */
export type Answers = { readonly [Call in keyof MessageAnswers]: Plain<MessageAnswers[Call]> };
