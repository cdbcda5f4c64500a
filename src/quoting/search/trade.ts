import { ZERO_ADDRESS } from "../../domain/address.ts";
import type { SwapOrder } from "../../domain/order.ts";
import type { Route } from "../../domain/route.ts";
import type { SwapFee } from "../../domain/terms/swap-fee.ts";
import { MAX_UINT256 } from "../../math/full-math.ts";
import type { SwapRequest } from "../answer/types.ts";
import { feeOn, feesOn, feesOnSold, grossFor, maxSellAmountFor, minBuyAmountFor } from "../cost/amounts.ts";
import type { SwapTerms } from "../ports.ts";

/** Amounts of a route for the taker, in base units. Gross is what the route itself takes in and pays out. */
export interface RouteAmounts {
  readonly sellAmount: bigint;
  readonly buyAmount: bigint;
  readonly grossBuyAmount: bigint;
  /** Amount that the route takes in: `sellAmount` without a fee on the sold token. */
  readonly grossSellAmount: bigint;
  /** The parts of the fee, of the bought token or of the sold one. */
  readonly feeAmounts: readonly bigint[];
  readonly minBuyAmount: bigint;
  readonly maxSellAmount: bigint;
}

/** Order that the router has to fill for a request. */
export function orderOf(request: SwapRequest): SwapOrder {
  const pair = { sellToken: request.sellToken.address, buyToken: request.buyToken.address };
  return request.amount.kind === "exactIn"
    ? {
        kind: "exactIn",
        ...pair,
        sellAmount: request.amount.sellAmount - feeOn(request.amount.sellAmount, onSold(request)),
      }
    : { kind: "exactOut", ...pair, buyAmount: grossFor(request.amount.buyAmount, onBought(request)) };
}

/** The amounts of a route under a request's fee and slippage. */
export function routeAmountsOf(request: SwapRequest, route: Route): RouteAmounts {
  const bought = feesOn(route.buyAmount, onBought(request));
  const buyAmount = route.buyAmount - sumOf(bought);
  const maxSellAmount = mostSold(request, route);
  const sold = request.fee?.fromSold === true ? feesOnSold(route.sellAmount, maxSellAmount, request.fee) : [];
  return {
    sellAmount: route.sellAmount + sumOf(sold),
    buyAmount,
    grossBuyAmount: route.buyAmount,
    grossSellAmount: route.sellAmount,
    feeAmounts: request.fee?.fromSold === true ? sold : bought,
    minBuyAmount:
      request.amount.kind === "exactIn" ? minBuyAmountFor(buyAmount, request.slippage) : request.amount.buyAmount,
    maxSellAmount,
  };
}

/** Exact-in: what is sold. Exact-out: with slippage, and with what a fee on the sold token takes of that. */
function mostSold(request: SwapRequest, route: Route): bigint {
  if (request.amount.kind === "exactIn") return request.amount.sellAmount;
  const most = grossFor(maxSellAmountFor(route.sellAmount, request.slippage), onSold(request));
  return most < MAX_UINT256 ? most : MAX_UINT256;
}

const sumOf = (amounts: readonly bigint[]) => amounts.reduce((sum, amount) => sum + amount, 0n);

/**
 * The limits that the transaction of a route enforces. Whoever sends it is paid, unless the request names another. Surplus of
 * an exact output is sold tokens that stay with the taker, and nobody has a share of them; nor of what a balance brings that is
 * smaller than the quoted amount, and moves prices less.
 */
export function termsOf(request: SwapRequest, amounts: RouteAmounts, deadline: bigint): SwapTerms {
  const isFixed = request.amount.kind === "exactIn" && request.sellEntireBalance !== true;
  const sharesSurplus = request.surplus !== undefined && isFixed;
  return {
    sellToken: request.sellToken.address,
    buyToken: request.buyToken.address,
    maxSellAmount: amounts.maxSellAmount,
    minBuyAmount: amounts.minBuyAmount,
    recipient: request.recipient ?? ZERO_ADDRESS,
    deadline,
    ...(request.fee && { fee: request.fee }),
    ...(sharesSurplus && { surplus: { ...request.surplus, quotedBuyAmount: amounts.buyAmount } }),
    ...(request.sellEntireBalance && { wholeBalance: true }),
    ...(request.signed && { signed: request.signed }),
  };
}

/** The amount of a request that has the router find `routed`: with what a fee takes on either side. */
export function requestedAmountFor(request: SwapRequest, routed: bigint): bigint {
  return request.amount.kind === "exactIn"
    ? grossFor(routed, onSold(request))
    : routed - feeOn(routed, onBought(request));
}

function onBought({ fee }: SwapRequest): SwapFee | undefined {
  return fee?.fromSold === true ? undefined : fee;
}

function onSold({ fee }: SwapRequest): SwapFee | undefined {
  return fee?.fromSold === true ? fee : undefined;
}

/** The parameter that holds the amount of a request. */
export function amountField(request: SwapRequest): "sellAmount" | "buyAmount" {
  return request.amount.kind === "exactIn" ? "sellAmount" : "buyAmount";
}
