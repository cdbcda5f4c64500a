import type { Address } from "../../domain/address.ts";
import type { SwapOrder } from "../../domain/order.ts";
import type { SwitchedOff } from "../../domain/switches.ts";
import { taxAt } from "../../market/taxed-pools.ts";
import { curveOf, type Pool } from "../../pools/pool.ts";
import type { SwapRequest } from "../answer/types.ts";
import type { TokenVerdicts } from "../ports.ts";
import { countsNamed } from "./named-amounts.ts";

/** Whether the operator has switched a pool off: itself, its source, or one of its tokens. */
export function isPoolOff(pool: Pool, off: SwitchedOff): boolean {
  if (off.source.size + off.pool.size + off.token.size === 0) return false;
  return off.source.has(pool.source) || off.pool.has(pool.id) || pool.tokens.some((token) => off.token.has(token));
}

/**
 * Whether a pool holds a token that is kept out of an order's routes. A token with a tax is a route's beginning or end, where
 * what it keeps is reckoned with once, and nothing else: between two pools it would be taxed on either side. Another is sold to
 * pools alone that count the amount which is named.
 */
export function holdsKeptOut(
  pool: Pool,
  keptOut: ReturnType<TokenVerdicts["keptOut"]>,
  { sellToken, buyToken }: Pick<SwapOrder, "sellToken" | "buyToken">,
): boolean {
  const taxes = curveOf(pool).taxes?.(pool.state);
  if (taxes === undefined) {
    if (keptOut.size === 0) return false;
    const isSold = (token: Address) => token === sellToken && countsNamed(pool, token);
    return pool.tokens.some((token) => keptOut.has(token) && !isSold(token));
  }
  const isEnd = (token: Address) => token === sellToken || token === buyToken;
  return pool.tokens.some((token) => (taxAt(pool, token) === undefined ? keptOut.has(token) : !isEnd(token)));
}

/** The request's token that the operator has switched off, if any. */
export function tokenOff({ sellToken, buyToken }: SwapRequest, off: SwitchedOff): SwapRequest["sellToken"] | undefined {
  return [sellToken, buyToken].find((token) => off.token.has(token.address));
}
