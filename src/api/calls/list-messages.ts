import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  BatchGetPricesResponseSchema,
  CallRefusalSchema,
  GetPriceLadderResponseSchema,
  LadderPriceSchema,
} from "#gen/swap/v1/swap_pb.ts";
import type { SwapError } from "../../domain/errors/swap-error.ts";
import type { PriceAnswer, SwapRequest } from "../../quoting/answer/types.ts";
import type { PriceList } from "../../quoting/price/price-lists.ts";
import { docsLink, ERROR_CASES } from "../errors/error-cases.ts";
import { codedViolation } from "../errors/violation-codes.ts";
import { priceFields, priceResponse } from "./price-messages.ts";

/** A ladder as the contract spells it; `requests` are those of its amounts. */
export function ladderResponse(
  list: PriceList,
  requests: readonly SwapRequest[],
): MessageInitShape<typeof GetPriceLadderResponseSchema> {
  const [first] = requests;
  return {
    ...blockOf(list),
    sellTokenAddress: first?.sellToken.address ?? "",
    buyTokenAddress: first?.buyToken.address ?? "",
    entries: list.results.map((result, at) => {
      const amount = requests[at]?.amount;
      return {
        amount: String(amount?.kind === "exactIn" ? amount.sellAmount : amount?.buyAmount),
        result:
          "answer" in result
            ? { case: "price" as const, value: ladderPrice(result.answer) }
            : { case: "refusal" as const, value: callRefusal(result.refusal) },
      };
    }),
  };
}

/** The answers to a batch as the contract spells them. */
export function batchResponse(list: PriceList): MessageInitShape<typeof BatchGetPricesResponseSchema> {
  return {
    ...blockOf(list),
    results: list.results.map((result) => ({
      result:
        "answer" in result
          ? { case: "price" as const, value: priceResponse(result.answer) }
          : { case: "refusal" as const, value: callRefusal(result.refusal) },
    })),
  };
}

function blockOf({ chainId, block }: PriceList) {
  return {
    chainId,
    blockNumber: String(block.number),
    blockHash: block.hash,
    blockTimestamp: String(block.timestamp),
  };
}

/** Fields of a price that a ladder shows. */
function ladderPrice(answer: PriceAnswer): MessageInitShape<typeof LadderPriceSchema> {
  const {
    sellAmount,
    buyAmount,
    price,
    estimatedPriceImpact,
    minBuyAmount,
    maxSellAmount,
    gas,
    estimatedGas,
    ...rest
  } = priceFields(answer);
  const { gasPrice, totalNetworkFee, sources, optimality } = rest;
  return {
    ...{ sellAmount, buyAmount, price, minBuyAmount, maxSellAmount, gas, estimatedGas, gasPrice, totalNetworkFee },
    sources,
    ...(estimatedPriceImpact !== undefined && { estimatedPriceImpact }),
    ...(optimality !== undefined && { optimality }),
  };
}

/** A refusal as REST's error body has it, without the call's id. */
function callRefusal(refusal: SwapError): MessageInitShape<typeof CallRefusalSchema> {
  const { code } = ERROR_CASES[refusal.kind];
  return {
    code,
    reason: refusal.reason,
    description: refusal.message,
    // As in REST's own body: only code 100 has items.
    validationErrors: code === 100 ? refusal.violations.map(codedViolation) : [],
    docs: docsLink(refusal.kind),
  };
}
