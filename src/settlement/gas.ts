import { NATIVE_TOKEN } from "../domain/address.ts";
import { fillsOf, type Route } from "../domain/route.ts";
import type { SwapTerms } from "../quoting/ports.ts";

const TRANSACTION = 21_000n;

/** Gas of a route's transaction. */
export function swapGas(route: Route, terms: SwapTerms): bigint {
  const fills = fillsOf(route).reduce((sum, fill) => sum + fill.gas, 0n);
  return TRANSACTION + fills + (terms.sellToken === NATIVE_TOKEN ? 0n : 0n);
}
