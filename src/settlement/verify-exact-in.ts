import type { ExactInRoute } from "../domain/route.ts";
import type { ByteReader } from "./byte-reader.ts";
import type { Expectation } from "./expectation.ts";
import { same } from "./expectation.ts";
import { readFill, readTokens } from "./verify-fill.ts";

/** Follows tokens through an exact-in payload: who holds what, and that each pair is paid before it swaps. */
export function verifyExactIn(expected: Expectation, payload: ByteReader, route: ExactInRoute): void {
  const tokens = readTokens(payload, route);
  let prepaid: string | undefined;
  /** What the executor got of a token that one fill makes and one takes: the next pair should have been paid with it. */
  let kept: string | undefined;
  for (const [i, fill] of route.fills.entries()) {
    const where = `fill ${i}`;
    const { delivery, way } = readFill(expected, payload, tokens, fill, where);
    const takesAll = delivery === "ahead" && fill.share === 1_000_000_000n;
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
