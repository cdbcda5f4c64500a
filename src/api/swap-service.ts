import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  GetPriceRequest,
  GetPriceResponseSchema,
  GetQuoteRequest,
  GetQuoteResponseSchema,
  ListSourcesResponseSchema,
} from "#gen/swap/v1/swap_pb.ts";
import { SwapError } from "../domain/swap-error.ts";
import type { Quoting, SwapRequest } from "../quoting/answers.ts";
import { priceResponse, quoteResponse, sourcesResponse } from "./answers.ts";
import type { Call } from "./call.ts";
import { parseRequest, type RequestCatalog, violationOf } from "./parse-request.ts";

/** The methods of swap.v1.SwapService behind every protocol. They throw SwapError. */
export interface SwapCalls {
  getPrice(request: GetPriceRequest, call: Call): Promise<MessageInitShape<typeof GetPriceResponseSchema>>;
  getQuote(request: GetQuoteRequest, call: Call): Promise<MessageInitShape<typeof GetQuoteResponseSchema>>;
  listSources(request: object, call: Call): Promise<MessageInitShape<typeof ListSourcesResponseSchema>>;
}

export function createSwapCalls(quoting: Quoting, catalog: RequestCatalog): SwapCalls {
  return {
    async getPrice(raw, call) {
      const request = await parseRequest(raw, { ...call, catalog, skipValidationByDefault: true });
      return priceResponse(await onAmount(request, quoting.price(request, call)));
    },
    async getQuote(raw, call) {
      const request = await parseRequest(raw, { ...call, catalog, skipValidationByDefault: false });
      return quoteResponse(await onAmount(request, quoting.quote(request, call)));
    },
    async listSources(_, call) {
      if (call.problems.length > 0) {
        const violations = call.problems.map(violationOf);
        throw new SwapError("INVALID_PARAMETERS", "the request has invalid parameters", { violations });
      }
      return sourcesResponse(quoting.listSources());
    },
  };
}

/** Refusals of the market name the amount that could not be served, whoever threw them. */
async function onAmount<T>(request: SwapRequest, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof SwapError) || error.violations.length > 0) throw error;
    if (error.kind !== "INSUFFICIENT_ASSET_LIQUIDITY" && error.kind !== "PRICE_IMPACT_TOO_HIGH") throw error;
    const field = request.amount.kind === "exactIn" ? "sellAmount" : "buyAmount";
    const violation = { field, code: 1004, reason: error.kind, description: error.message } as const;
    throw new SwapError(error.kind, error.message, { reason: error.reason, violations: [violation], cause: error });
  }
}
