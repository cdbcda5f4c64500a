import { type Address, NATIVE_TOKEN, ZERO_ADDRESS } from "../../domain/address.ts";
import { partsOf } from "../../domain/terms/swap-fee.ts";
import type { Token } from "../../domain/token.ts";
import { NO_TAX, type TokenTax } from "../../domain/token-verdict.ts";
import type { Snapshot } from "../../market/snapshot.ts";
import { taxOf } from "../../market/taxed-pools.ts";
import type { GasEstimate } from "../answer/gas.ts";
import { priceImpact } from "../answer/price-impact.ts";
import { ordersOf, routeFillsOf, type SourceCatalog, sourcesOf, tokensOf } from "../answer/route-view.ts";
import type { PriceAnswer, SwapRequest } from "../answer/types.ts";
import { networkFeeOf } from "../cost/data-fee.ts";
import type { TokenRegistry, TokenVerdicts } from "../ports.ts";
import type { Plan } from "./plan.ts";
import { nativeRateOf, optimalityOf, priceOf } from "./prices.ts";

/** Parts of a price answer. */
export interface PriceParts {
  readonly request: SwapRequest;
  readonly plan: Plan;
  readonly snapshot: Snapshot;
  readonly gas: GasEstimate;
  readonly gasPrice: bigint;
  /** Size of the transaction, real or prospective. */
  readonly transactionBytes: number;
  readonly allowanceTarget: Address;
  readonly wrappedNative: Address;
  readonly sources: SourceCatalog;
  readonly tokens: TokenRegistry;
  readonly verdicts: Pick<TokenVerdicts, "isUntestable">;
  /** Most pools of a path, as the search has bounded them. */
  readonly maxHops: number;
}

/** Every number of a plan as the API defines it. */
export async function priceAnswer(parts: PriceParts): Promise<PriceAnswer> {
  const { request, plan, snapshot, gasPrice, sources } = parts;
  const { route, amounts } = plan;
  const { sellToken, buyToken } = request;
  const native = sellToken.address === NATIVE_TOKEN;
  const costToken = route.kind === "exactIn" ? buyToken : sellToken;
  const certificate = plan.found.certificate;
  const { gas, total } = networkFeeOf(snapshot, parts.gas, gasPrice, parts.transactionBytes);
  return {
    chainId: snapshot.chainId,
    block: snapshot.block,
    sellToken,
    buyToken,
    taxes: { sellToken: shownTax(sellToken.address, parts), buyToken: shownTax(buyToken.address, parts) },
    price: priceOf(sellToken, amounts.sellAmount, buyToken, amounts.buyAmount),
    estimatedPriceImpact: priceImpact(route, snapshot.graph) ?? null,
    expectedSlippage: plan.expected ?? null,
    slippage: plan.slippage,
    value: native ? amounts.maxSellAmount : 0n,
    gasPrice,
    gas: gas.limit,
    estimatedGas: gas.expected,
    buyAmount: amounts.buyAmount,
    sellAmount: amounts.sellAmount,
    grossBuyAmount: amounts.grossBuyAmount,
    grossSellAmount: amounts.grossSellAmount,
    minBuyAmount: amounts.minBuyAmount,
    maxSellAmount: amounts.maxSellAmount,
    totalNetworkFee: total,
    sources: sourcesOf(route, sources, parts.maxHops),
    orders: ordersOf(route, snapshot, sources, gasPrice),
    allowanceTarget: native ? ZERO_ADDRESS : parts.allowanceTarget,
    ...nativeRates(request, snapshot, parts.wrappedNative),
    fees: feesView(request, amounts.feeAmounts),
    surplus: plan.terms.surplus === undefined ? null : { ...plan.terms.surplus, token: buyToken.address },
    route: { tokens: await describeTokens(tokensOf(route), parts), fills: routeFillsOf(route) },
    optimality:
      certificate === undefined
        ? null
        : optimalityOf(certificate, route.kind, snapshot.rates.perNative(costToken.address)),
    ...(snapshot.overrides && { overrides: snapshot.overrides }),
    ...(plan.found.proof && { proof: plan.found.proof }),
  };
}

/** Tax of a token of the route, as the snapshot's pools trade it; null if it could not be found out. */
function shownTax(token: Address, { snapshot, verdicts }: PriceParts): TokenTax | null {
  return taxOf(snapshot.graph, token) ?? (verdicts.isUntestable(token) ? null : NO_TAX);
}

/** Both tokens' worth in the native token. */
export function nativeRates(
  request: SwapRequest,
  snapshot: Snapshot,
  wrappedNative: Address,
): Pick<PriceAnswer, "sellTokenToEthRate" | "buyTokenToEthRate"> {
  return {
    sellTokenToEthRate: nativeRateOf(request.sellToken, snapshot.rates, wrappedNative),
    buyTokenToEthRate: nativeRateOf(request.buyToken, snapshot.rates, wrappedNative),
  };
}

function feesView(request: SwapRequest, amounts: readonly bigint[]): PriceAnswer["fees"] {
  const { address: token } = request.fee?.fromSold === true ? request.sellToken : request.buyToken;
  return partsOf(request.fee).map((part, at) => ({ ...part, token, amount: amounts[at] ?? 0n }));
}

/** The route's tokens as their contracts tell of themselves. @throws SwapError when the node does not tell at the moment */
function describeTokens(addresses: readonly Address[], { tokens, request }: PriceParts): Promise<Token[]> {
  return Promise.all(
    addresses.map(async (address) => {
      if (address === request.sellToken.address) return request.sellToken;
      if (address === request.buyToken.address) return request.buyToken;
      return tokens.known(address) ?? tokens.describe(address);
    }),
  );
}
