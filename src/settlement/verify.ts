import type { Route } from "../domain/route.ts";
import { partsOf } from "../domain/swap-fee.ts";
import type { SwapTerms, SwapTransaction } from "../quoting/ports.ts";
import { type Expectation, NATIVE, same } from "./expectation.ts";
import { verifyCall } from "./verify-call.ts";
import { verifyExactIn } from "./verify-exact-in.ts";
import { verifyExactOut } from "./verify-exact-out.ts";

const PPM = 1_000_000n;

/**
 * Reads a transaction as the contracts will, byte by byte, and holds all of it against route and terms. Knows the
 * layout from contracts/src only and shares nothing with `encode`, so that a slip in either shows.
 * @throws Error naming the first difference.
 */
export function verifySwap(expected: Expectation, transaction: SwapTransaction, route: Route, terms: SwapTerms): void {
  same("to", transaction.to, expected.gateway);
  const native = terms.sellToken === NATIVE;
  if (native && terms.signed !== undefined) throw new Error("native token is drawn by no signature");
  if (native && terms.wholeBalance === true) throw new Error("native token has no share of a balance");
  same("value", transaction.value, native ? terms.maxSellAmount : 0n);
  const payload = verifyCall(expected, transaction.data, terms);

  same("route sellToken", route.sellToken, terms.sellToken);
  same("route buyToken", route.buyToken, terms.buyToken);
  const most = mostForRoute(terms);
  const kind = payload.uint(1);
  if (route.kind === "exactIn") {
    same("kind", kind, 0n);
    same("route sellAmount", route.sellAmount, most);
    verifyExactIn(expected, payload, route);
  } else {
    same("kind", kind, 1n);
    if (terms.wholeBalance === true) throw new Error("an exact output sells no share of a balance");
    if (route.sellAmount > most) throw new Error("the route sells more than maxSellAmount");
    same("made amount", payload.uint(32), route.buyAmount);
    verifyExactOut(expected, payload, route);
  }
  same("bytes after the route", payload.left(), 0);
}

/** What fees on the sold token leave of the maximum for the executor, as the gateway reckons it. */
function mostForRoute({ maxSellAmount, fee }: SwapTerms): bigint {
  if (fee?.fromSold !== true) return maxSellAmount;
  return partsOf(fee).reduce((left, { ratePpm }) => left - (maxSellAmount * ratePpm) / PPM, maxSellAmount);
}
