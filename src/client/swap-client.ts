import { type CallOptions as ConnectOptions, createClient, type Transport } from "@connectrpc/connect";
import { SwapService, type WatchPriceResponse } from "#gen/swap/v1/swap_pb.ts";
import type { Answers, MessageAnswers } from "./answers.ts";
import { keyInHeader } from "./api-key.ts";
import { toSwapCallError } from "./connect-error.ts";
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
import type { FieldProblem } from "./swap-call-error.ts";

/** An indicative price, field by field as the API documents it. Amounts are strings of base units. */
export type Price = MessageAnswers["price"];
/** A price with the transaction that does exactly what it says. */
export type Quote = MessageAnswers["quote"];
/** Prices of one pair for several amounts, at one block. */
export type Ladder = MessageAnswers["ladder"];
/** Prices or refusals of several requests, at one block. */
export type Prices = MessageAnswers["prices"];
/** The liquidity that is live. */
export type Sources = MessageAnswers["sources"];
/** A page of the tokens that can be traded, the deepest first. */
export type Tokens = MessageAnswers["tokens"];
/** The chain that is served, its contracts and the limits of requests. */
export type Chain = MessageAnswers["chain"];

export interface CallOptions {
  /** Gives up the call. */
  readonly signal?: AbortSignal | undefined;
  /** Deadline, milliseconds; the service keeps to it as well. */
  readonly timeoutMs?: number | undefined;
  /** Sent along with the call: `traceparent` puts it into a trace, `x-request-id` names it. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Update of a watched price. */
export type WatchUpdate<PriceAnswer = Price> =
  | { readonly kind: "price"; readonly price: PriceAnswer }
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
export interface SwapClient<Given extends Answers = MessageAnswers> {
  price(request: PriceRequest, options?: CallOptions): Promise<Given["price"]>;
  /** Each amount's price, or why there is none. */
  ladder(request: LadderRequest, options?: CallOptions): Promise<Given["ladder"]>;
  /** Each request's price, or why there is none, in their order. */
  prices(requests: readonly SwapRequest[], options?: CallOptions & AtBlock): Promise<Given["prices"]>;
  quote(request: SwapRequest, options?: CallOptions): Promise<Given["quote"]>;
  sources(options?: CallOptions): Promise<Given["sources"]>;
  /** One page; `nextCursor` of the answer is the `cursor` of the next. */
  tokens(request?: TokensRequest, options?: CallOptions): Promise<Given["tokens"]>;
  chain(options?: CallOptions): Promise<Given["chain"]>;
  /** The price now and after each block that changes it, until the loop is left, `signal` aborts or the service ends. */
  watch(request: SwapRequest, options?: CallOptions): AsyncIterable<WatchUpdate<Given["price"]>>;
}

/**
 * `transport` decides where and how: `createWebTransport` for browsers, `createGrpcTransport` for Node.
 * @throws RangeError for an `apiKey` that no header can carry: with a line break inside, say. It never repeats the key.
 */
export function createSwapClient(options: { readonly transport: Transport; readonly apiKey: string }): SwapClient {
  const apiKey = keyInHeader(options.apiKey);
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
