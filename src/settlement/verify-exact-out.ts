import type { ExactOutRoute } from "../domain/route.ts";
import type { ByteReader } from "./byte-reader.ts";
import { type Expectation, same } from "./expectation.ts";
import { readFill, readTokens } from "./verify-fill.ts";

const WHOLE = 1_000_000_000n;

/**
 * Follows tokens back through an exact-out payload: all that takes a token stands before what makes it, what makes it last
 * makes all the rest, and what is made goes straight to the pool that alone takes it, where that can be.
 */
export function verifyExactOut(expected: Expectation, payload: ByteReader, route: ExactOutRoute): void {
  const tokens = readTokens(payload, route);
  const needed = new Set<string>([route.buyToken]);
  const begun = new Set<string>();
  for (const [i, fill] of route.fills.entries()) {
    const where = `fill ${i}`;
    const { delivery, way } = readFill(expected, payload, tokens, fill, where);
    const { sellToken, buyToken, share } = fill;
    if (sellToken === route.buyToken) throw new Error(`${where}: takes the token that is bought`);
    if (begun.has(sellToken)) throw new Error(`${where}: takes a token after the first that makes it`);
    if (!needed.has(buyToken)) throw new Error(`${where}: makes a token of which nothing is needed here`);
    if (share > WHOLE) throw new Error(`${where}: makes more than what is needed`);
    begun.add(buyToken);
    if (share === WHOLE) needed.delete(buyToken);
    const between = sellToken !== route.sellToken;
    if (between) needed.add(sellToken);
    const alone = route.fills.filter((other) => other.sellToken === sellToken).length === 1;
    const straight = between && alone && delivery !== "own";
    same(`${where} is paid straight`, way, straight ? 1n : 0n);
  }
  if (needed.size > 0) throw new Error(`token ${[...needed][0]} is not made in full`);
}
