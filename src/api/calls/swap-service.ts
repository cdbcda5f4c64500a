import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  BatchGetPricesRequest,
  BatchGetPricesResponseSchema,
  GetPriceLadderRequest,
  GetPriceLadderResponseSchema,
  GetPriceRequest,
  GetPriceResponseSchema,
  GetQuoteRequest,
  GetQuoteResponseSchema,
  ListSourcesResponseSchema,
  WatchPriceRequest,
  WatchPriceResponseSchema,
} from "#gen/swap/v1/swap_pb.ts";
import { refuse, SwapError } from "../../domain/errors/swap-error.ts";
import type { CallContext, Quoting, SwapRequest } from "../../quoting/answer/types.ts";
import type { PriceList, PriceLists } from "../../quoting/price/price-lists.ts";
import { amountField } from "../../quoting/search/trade.ts";
import type { PriceUpdate } from "../../quoting/watch/price-update.ts";
import type { PriceWatches } from "../../quoting/watch/price-watches.ts";
import { accountName } from "../keys/key-store.ts";
import { UNITS_OF_OVERRIDES } from "../limits/call-costs.ts";
import { invalidParameters, parseRequest, type RequestCatalog, violationOf } from "../parameters/parse-request.ts";
import { parseBatch, parseLadder } from "../parameters/price-lists.ts";
import { oncePerObject } from "../rest/once-per-object.ts";
import type { Call } from "./call.ts";
import { batchResponse, ladderResponse } from "./list-messages.ts";
import { priceResponse, quoteResponse, sourcesResponse } from "./price-messages.ts";
import { watchResponse } from "./watch-messages.ts";

/** The methods of swap.v1.SwapService behind every protocol. They throw SwapError. */
export interface SwapCalls {
  getPrice(request: GetPriceRequest, call: Call): Promise<MessageInitShape<typeof GetPriceResponseSchema>>;
  getQuote(request: GetQuoteRequest, call: Call): Promise<MessageInitShape<typeof GetQuoteResponseSchema>>;
  getPriceLadder(
    request: GetPriceLadderRequest,
    call: Call,
  ): Promise<MessageInitShape<typeof GetPriceLadderResponseSchema>>;
  batchGetPrices(
    request: BatchGetPricesRequest,
    call: Call,
  ): Promise<MessageInitShape<typeof BatchGetPricesResponseSchema>>;
  listSources(request: object, call: Call): Promise<MessageInitShape<typeof ListSourcesResponseSchema>>;
  watchPrice(request: WatchPriceRequest, call: Call): AsyncIterable<MessageInitShape<typeof WatchPriceResponseSchema>>;
}

/** Parts that answer the calls. */
export interface SwapParts {
  readonly quoting: Quoting;
  readonly lists: PriceLists;
  readonly watches: PriceWatches;
  readonly catalog: RequestCatalog;
}

export function createSwapCalls({ quoting, lists, watches, catalog }: SwapParts): SwapCalls {
  /** The message of an update, one object for all streams: their requests are equal wherever they share an update. */
  const sharedResponse = oncePerObject((update: PriceUpdate, request: SwapRequest) =>
    watchResponse(update.kind === "status" ? { ...update, refusal: named(request, update.refusal) } : update),
  );
  return {
    async getPrice(raw, call) {
      const request = await parseRequest(raw, { ...call, catalog, skipValidationByDefault: true });
      if (request.overrides !== undefined) await call.charge?.(UNITS_OF_OVERRIDES);
      return priceResponse(await onAmount(request, quoting.price(request, contextOf(call, request))));
    },
    async getQuote(raw, call) {
      const request = await parseRequest(raw, { ...call, catalog, skipValidationByDefault: false });
      return quoteResponse(await onAmount(request, quoting.quote(request, contextOf(call))));
    },
    async getPriceLadder(raw, call) {
      const requests = await parseLadder(raw, { ...call, catalog, skipValidationByDefault: true });
      await call.charge?.(requests.length - 1);
      return ladderResponse(onAmounts(requests, await lists.ladder(requests, contextOf(call, requests[0]))), requests);
    },
    async batchGetPrices(raw, call) {
      const requests = await parseBatch(raw, { ...call, catalog, skipValidationByDefault: true });
      await call.charge?.(requests.length - 1);
      const read = requests.find((request): request is SwapRequest => !(request instanceof SwapError));
      return batchResponse(onAmounts(requests, await lists.prices(requests, contextOf(call, read))));
    },
    async listSources(_, call) {
      if (call.problems.length > 0) {
        throw invalidParameters(call.problems.map(violationOf));
      }
      return sourcesResponse(quoting.listSources());
    },
    async *watchPrice(raw, call) {
      const request = await parseRequest(raw, { ...call, catalog, skipValidationByDefault: true });
      const watcher = { key: call.account.keyId, account: accountName(call.account) };
      for await (const update of watches.open(request, call.signal, watcher)) {
        yield sharedResponse(update, request);
      }
    },
  };
}

/** `request`: that of the call, or one of several that are priced at one block. */
function contextOf({ requestId, account, signal, deadlineMs, spent }: Call, request?: SwapRequest): CallContext {
  const at = request?.at;
  const more = { ...(at && { at }), ...(deadlineMs !== undefined && { deadlineMs }), ...(spent && { spent }) };
  return { requestId, account: accountName(account), signal, ...more };
}

/** The refusals of a list, each naming the amount of its request. */
function onAmounts(requests: readonly (SwapRequest | SwapError)[], list: PriceList): PriceList {
  const results = list.results.map((result, at) => {
    const request = requests[at];
    if ("answer" in result || request === undefined || request instanceof SwapError) return result;
    return { refusal: named(request, result.refusal) };
  });
  return { ...list, results };
}

async function onAmount<T>(request: SwapRequest, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw error instanceof SwapError ? named(request, error) : error;
  }
}

/** Refusals of the market name the amount that could not be served, whoever threw them. */
function named(request: SwapRequest, error: SwapError): SwapError {
  if (error.violations.length > 0) return error;
  if (error.kind !== "INSUFFICIENT_ASSET_LIQUIDITY" && error.kind !== "PRICE_IMPACT_TOO_HIGH") return error;
  const violation = {
    field: amountField(request),
    reason: error.kind,
    description: error.message,
  } as const;
  return refuse(error.reason, error.message, { violations: [violation], cause: error });
}
