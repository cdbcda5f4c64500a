import { partsOf } from "../../domain/terms/swap-fee.ts";
import { limitsKey } from "../answer/route-limits.ts";
import { givenAmountOf, type SwapRequest } from "../answer/types.ts";

/** A text that two requests share only when every answer to them at one block is the same. */
export function requestKey(request: SwapRequest): string {
  const { amount, sources, fee, surplus } = request;
  return [
    request.sellToken.address,
    request.buyToken.address,
    amount.kind,
    givenAmountOf(request),
    request.slippage,
    request.slippageIsAuto === true ? "auto" : "",
    request.taker ?? "",
    sources.kind,
    sources.kind === "all" ? "" : [...new Set(sources.ids)].sort().join(),
    request.isDirect === true ? "direct" : "",
    limitsKey(request.limits),
    partsOf(fee)
      .map(({ ratePpm, recipient }) => `${ratePpm}:${recipient}`)
      .join(),
    fee?.fromSold === true ? "sold" : "",
    surplus === undefined ? "" : `${surplus.ratePpm}:${surplus.recipient}`,
    request.recipient ?? "",
    request.approvalMode ?? "",
    request.sellEntireBalance === true ? "entire" : "",
    request.gasPrice ?? "",
    request.skipValidation,
    request.maxPriceImpact ?? "",
  ].join(" ");
}
