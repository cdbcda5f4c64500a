import { ZERO_ADDRESS } from "../../domain/address.ts";
import type { SwapOrder } from "../../domain/order.ts";
import type { Route } from "../../domain/route.ts";
import type { SwapRequest } from "../answer/answers.ts";
import { feeOn, grossFor, maxSellAmountFor, minBuyAmountFor } from "../cost/amounts.ts";
import type { SwapTerms } from "../ports.ts";

/** What a route means for the taker, in base units. Gross is before the integrator's fee. */
export interface Deal {
  readonly sellAmount: bigint;
  readonly buyAmount: bigint;
  readonly grossBuyAmount: bigint;
  readonly feeAmount: bigint;
  readonly minBuyAmount: bigint;
  readonly maxSellAmount: bigint;
}

/** What the router has to find for a request. */
export function orderOf(request: SwapRequest): SwapOrder {
  const pair = { sellToken: request.sellToken.address, buyToken: request.buyToken.address };
  return request.amount.kind === "exactIn"
    ? { kind: "exactIn", ...pair, sellAmount: request.amount.sellAmount }
    : { kind: "exactOut", ...pair, buyAmount: grossFor(request.amount.buyAmount, feeRate(request)) };
}

/** The amounts of a route under a request's fee and slippage. */
export function dealOf(request: SwapRequest, route: Route): Deal {
  const feeAmount = feeOn(route.buyAmount, feeRate(request));
  const amounts = { sellAmount: route.sellAmount, buyAmount: route.buyAmount - feeAmount };
  return {
    ...amounts,
    grossBuyAmount: route.buyAmount,
    feeAmount,
    ...(request.amount.kind === "exactIn"
      ? { minBuyAmount: minBuyAmountFor(amounts.buyAmount, request.slippage), maxSellAmount: amounts.sellAmount }
      : {
          minBuyAmount: request.amount.buyAmount,
          maxSellAmount: maxSellAmountFor(amounts.sellAmount, request.slippage),
        }),
  };
}

/** The limits that the transaction of a deal enforces. Whoever sends it is paid. */
export function termsOf(request: SwapRequest, deal: Deal, deadline: bigint): SwapTerms {
  return {
    sellToken: request.sellToken.address,
    buyToken: request.buyToken.address,
    maxSellAmount: deal.maxSellAmount,
    minBuyAmount: deal.minBuyAmount,
    recipient: ZERO_ADDRESS,
    deadline,
    ...(request.fee && { fee: request.fee }),
  };
}

/** The amount of a request that has the router find `routed`: of what is bought, what the fee leaves. */
export function askingFor(request: SwapRequest, routed: bigint): bigint {
  return request.amount.kind === "exactIn" ? routed : routed - feeOn(routed, feeRate(request));
}

function feeRate(request: SwapRequest): bigint {
  return request.fee?.ratePpm ?? 0n;
}

/** The parameter that holds the amount of a request. */
export function amountField(request: SwapRequest): "sellAmount" | "buyAmount" {
  return request.amount.kind === "exactIn" ? "sellAmount" : "buyAmount";
}
