import { type CallOptions as ConnectOptions, createClient, type Transport } from "@connectrpc/connect";
import {
  type GetPriceResponse,
  type GetQuoteResponse,
  type ListSourcesResponse,
  SwapService,
} from "#gen/swap/v1/swap_pb.ts";
import { type SwapRequest, toMessage } from "./request.ts";
import { toSwapCallError } from "./swap-call-error.ts";

/** An indicative price, field by field as the API documents it. Amounts are strings of base units. */
export type Price = GetPriceResponse;
/** A price with the transaction that does exactly what it says. */
export type Quote = GetQuoteResponse;
/** The liquidity that is live. */
export type Sources = ListSourcesResponse;

export interface CallOptions {
  /** Gives up the call. */
  readonly signal?: AbortSignal | undefined;
  /** Deadline, milliseconds; the service keeps to it as well. */
  readonly timeoutMs?: number | undefined;
}

/** The service, as functions. Each throws SwapCallError and nothing else. */
export interface SwapClient {
  price(request: SwapRequest, options?: CallOptions): Promise<Price>;
  quote(request: SwapRequest, options?: CallOptions): Promise<Quote>;
  sources(options?: CallOptions): Promise<Sources>;
}

/** `transport` decides where and how: `createWebTransport` for browsers, `createGrpcTransport` for Node. */
export function createSwapClient(options: { readonly transport: Transport; readonly apiKey: string }): SwapClient {
  const client = createClient(SwapService, options.transport);
  const call = async <Answer>(work: (options: ConnectOptions) => Promise<Answer>, given: CallOptions = {}) => {
    try {
      return await work({
        headers: { "api-key": options.apiKey },
        ...(given.signal !== undefined && { signal: given.signal }),
        ...(given.timeoutMs !== undefined && { timeoutMs: given.timeoutMs }),
      });
    } catch (thrown) {
      throw toSwapCallError(thrown);
    }
  };
  return {
    price: (request, given) => call((it) => client.getPrice(toMessage(request), it), given),
    quote: (request, given) => call((it) => client.getQuote(toMessage(request), it), given),
    sources: (given) => call((it) => client.listSources({}, it), given),
  };
}
