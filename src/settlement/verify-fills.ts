import type { ExactInRoute, ExactOutRoute } from "../domain/route.ts";
import type { ByteReader } from "./byte-reader.ts";
import { type Expectation, same } from "./expectation.ts";
import { readFill, readTokens } from "./verify-fill.ts";

/** The share of a fill that takes all that is left. It is told anew here: a verifier has no line of the encoder's. */
const SHARE_ONE = 1_000_000_000n;

/** Follows tokens through an exact-in payload: who holds what, and that each pair is paid before it swaps. */
export function verifyExactIn(expected: Expectation, payload: ByteReader, route: ExactInRoute): void {
  const tokens = readTokens(payload, route);
  let prepaid: string | undefined;
  /** Amount of a token that one fill made and that the next pair should have been paid with. */
  let kept: string | undefined;
  for (const [i, fill] of route.fills.entries()) {
    const where = `fill ${i}`;
    const { delivery, way } = readFill(expected, payload, tokens, fill, where);
    const takesAll = delivery === "ahead" && fill.share === SHARE_ONE;
    if (prepaid !== undefined && !(takesAll && prepaid === fill.sellToken)) {
      throw new Error(`${where}: was paid ahead, but does not take all of it as a pair`);
    }
    if (takesAll && kept === fill.sellToken) throw new Error(`${where}: is a pair, and was not paid ahead`);

    same(`${where} goes to the payee`, way === 1n, fill.buyToken === route.buyToken);
    if (way > 2n) throw new Error(`${where}: no such destination ${way}`);
    const makers = route.fills.filter(({ buyToken }) => buyToken === fill.buyToken).length;
    const takers = route.fills.filter(({ sellToken }) => sellToken === fill.buyToken).length;
    const alone = makers === 1 && takers === 1;
    prepaid = way === 2n ? fill.buyToken : undefined;
    kept = way === 0n && alone ? fill.buyToken : undefined;
    if (prepaid !== undefined && !alone) throw new Error(`${where}: pays ahead a token that others make or take`);
  }
  if (prepaid !== undefined) throw new Error("the last fill pays a pair that does not follow");
}

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
    if (share > SHARE_ONE) throw new Error(`${where}: makes more than what is needed`);
    begun.add(buyToken);
    if (share === SHARE_ONE) needed.delete(buyToken);
    const between = sellToken !== route.sellToken;
    if (between) needed.add(sellToken);
    const alone = route.fills.filter((other) => other.sellToken === sellToken).length === 1;
    const straight = between && alone && delivery !== "own";
    same(`${where} is paid straight`, way, straight ? 1n : 0n);
  }
  if (needed.size > 0) throw new Error(`token ${[...needed][0]} is not made in full`);
}
