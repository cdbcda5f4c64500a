import { type CallOptions as ConnectOptions, createClient, type Transport } from "@connectrpc/connect";
import {
  type BatchGetPricesResponse,
  type GetPriceLadderResponse,
  type GetPriceResponse,
  type GetQuoteResponse,
  type ListSourcesResponse,
  SwapService,
  type WatchPriceResponse,
} from "#gen/swap/v1/swap_pb.ts";
import type { GetChainResponse, ListTokensResponse } from "#gen/swap/v1/tokens_pb.ts";
import {
  type AtBlock,
  type LadderRequest,
  type PriceRequest,
  type SwapRequest,
  type TokensRequest,
  toBatchMessage,
  tokensMessage,
  toLadderMessage,
  toMessage,
  toPriceMessage,
} from "./request.ts";
import { type FieldProblem, toSwapCallError } from "./swap-call-error.ts";

/** An indicative price, field by field as the API documents it. Amounts are strings of base units. */
export type Price = GetPriceResponse;
/** A price with the transaction that does exactly what it says. */
export type Quote = GetQuoteResponse;
/** Prices of one pair for several amounts, at one block. */
export type Ladder = GetPriceLadderResponse;
/** Prices or refusals of several requests, at one block. */
export type Prices = BatchGetPricesResponse;
/** The liquidity that is live. */
export type Sources = ListSourcesResponse;
/** A page of the tokens that can be traded, the deepest first. */
export type Tokens = ListTokensResponse;
/** The chain that is served, its contracts and the limits of requests. */
export type Chain = GetChainResponse;

export interface CallOptions {
  /** Gives up the call. */
  readonly signal?: AbortSignal | undefined;
  /** Deadline, milliseconds; the service keeps to it as well. */
  readonly timeoutMs?: number | undefined;
  /** Sent along with the call: `traceparent` puts it into a trace, `x-request-id` names it. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Update of a watched price. */
export type WatchUpdate =
  | { readonly kind: "price"; readonly price: Price }
  /** There is no price for now; one follows as soon as there is. */
  | {
      readonly kind: "status";
      readonly reason: string;
      readonly description: string;
      readonly problems: readonly FieldProblem[];
    }
  /** The last update still holds at this block, the newest examined; both are empty before the first. */
  | { readonly kind: "heartbeat"; readonly blockNumber: string; readonly blockHash: string };

/** The service, as functions. Each throws SwapCallError and nothing else. */
export interface SwapClient {
  price(request: PriceRequest, options?: CallOptions): Promise<Price>;
  /** Each amount's price, or why there is none. */
  ladder(request: LadderRequest, options?: CallOptions): Promise<Ladder>;
  /** Each request's price, or why there is none, in their order. */
  prices(requests: readonly SwapRequest[], options?: CallOptions & AtBlock): Promise<Prices>;
  quote(request: SwapRequest, options?: CallOptions): Promise<Quote>;
  sources(options?: CallOptions): Promise<Sources>;
  /** One page; `nextCursor` of the answer is the `cursor` of the next. */
  tokens(request?: TokensRequest, options?: CallOptions): Promise<Tokens>;
  chain(options?: CallOptions): Promise<Chain>;
  /** The price now and after each block that changes it, until the loop is left, `signal` aborts or the service ends. */
  watch(request: SwapRequest, options?: CallOptions): AsyncIterable<WatchUpdate>;
}

/** Values that a header can carry unchanged: printable ASCII. */
const KEY = /^[\x20-\x7e]*$/;

/**
 * `transport` decides where and how: `createWebTransport` for browsers, `createGrpcTransport` for Node.
 * @throws RangeError for an `apiKey` that no header can carry: with a line break inside, say. It never repeats the key.
 */
export function createSwapClient(options: { readonly transport: Transport; readonly apiKey: string }): SwapClient {
  const apiKey = options.apiKey.trim();
  if (!KEY.test(apiKey)) throw new RangeError("apiKey is no text that a header can carry");
  const client = createClient(SwapService, options.transport);
  const withKey = (given: CallOptions = {}): ConnectOptions => ({
    headers: { ...given.headers, "api-key": apiKey },
    ...(given.signal !== undefined && { signal: given.signal }),
    ...(given.timeoutMs !== undefined && { timeoutMs: given.timeoutMs }),
  });
  const call = async <Answer>(work: (options: ConnectOptions) => Promise<Answer>, given?: CallOptions) => {
    try {
      return await work(withKey(given));
    } catch (thrown) {
      throw toSwapCallError(thrown, given?.signal);
    }
  };
  return {
    price: (request, given) => call((it) => client.getPrice(toPriceMessage(request), it), given),
    ladder: (request, given) => call((it) => client.getPriceLadder(toLadderMessage(request), it), given),
    prices: (requests, given) =>
      call((it) => client.batchGetPrices(toBatchMessage(requests, given?.blockNumber), it), given),
    quote: (request, given) => call((it) => client.getQuote(toMessage(request), it), given),
    sources: (given) => call((it) => client.listSources({}, it), given),
    tokens: (request, given) => call((it) => client.listTokens(tokensMessage(request ?? {}), it), given),
    chain: (given) => call((it) => client.getChain({}, it), given),
    async *watch(request, given) {
      try {
        for await (const { update } of client.watchPrice(toMessage(request), withKey(given))) {
          const told = updateOf(update);
          if (told !== undefined) yield told;
        }
      } catch (thrown) {
        throw toSwapCallError(thrown, given?.signal);
      }
    },
  };
}

/** A message of a kind that this client does not know yet says nothing to it. */
function updateOf({ case: kind, value }: WatchPriceResponse["update"]): WatchUpdate | undefined {
  switch (kind) {
    case "price":
      return { kind, price: value };
    case "status": {
      const problems = value.violations.map(({ field, reason, description }) => ({ field, reason, description }));
      return { kind, reason: value.reason, description: value.description, problems };
    }
    case "heartbeat":
      return { kind, blockNumber: value.blockNumber, blockHash: value.blockHash };
    default:
      return undefined;
  }
}
