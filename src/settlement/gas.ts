import { NATIVE_TOKEN } from "../domain/address.ts";
import { fillsOf, type Route } from "../domain/route.ts";
import type { SwapTerms } from "../quoting/ports.ts";

/** The transaction's own 21,000, and gateway and executor around the route: checks, transient slots, calldata. */
const TRANSACTION = 28_500n;

/** First touch of an ERC-20 and of the slots that the swap changes in it, calldata of its address included. */
const PER_TOKEN = 12_000n;

/** What each fill's own figure counts once too often, since slots and tokens are warm after the first. */
const WARM_PER_FILL = 11_000n;

/** Output by way of the gateway, and the fee's own transfer. */
const FEE = 17_000n;

/** What comes back for the wrapped native balance that the executor has for a moment only. */
const WRAPPED_FOR_A_MOMENT = 10_000n;

/** Unspent native token: from the executor to the gateway to the caller. */
const NATIVE_REFUND = 9_000n;

/**
 * Gas of a route's transaction, everything included, fitted to what `bench/settlement/bench.ts` measures: within 15 %
 * where the recipient holds some of the bought token already, and an integrator too. A first holding costs 17,100 more.
 */
export function swapGas(route: Route, terms: SwapTerms): bigint {
  const fills = fillsOf(route);
  const tokens = new Set(fills.flatMap(({ sellToken, buyToken }) => [sellToken, buyToken]));
  tokens.delete(NATIVE_TOKEN);
  let gas = TRANSACTION + PER_TOKEN * BigInt(tokens.size);
  for (const fill of fills) gas += fill.gas - WARM_PER_FILL;
  const native = route.sellToken === NATIVE_TOKEN || route.buyToken === NATIVE_TOKEN;
  if (native && fills.length > 1) gas -= WRAPPED_FOR_A_MOMENT;
  if (terms.fee !== undefined) gas += FEE;
  if (route.kind === "exactOut" && route.sellToken === NATIVE_TOKEN) gas += NATIVE_REFUND;
  return gas;
}
