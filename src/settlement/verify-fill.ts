import type { Fill, Route } from "../domain/route.ts";
import type { ActionVerifier } from "./action-codec.ts";
import type { ByteReader } from "./byte-reader.ts";
import { type Expectation, same } from "./expectation.ts";
import type { VenueCheck } from "./venue-check.ts";

/** The tokens of a payload by their numbers: each of them the route's, and once. */
export function readTokens(payload: ByteReader, route: Route): readonly string[] {
  const tokens: string[] = [route.sellToken, route.buyToken];
  for (let count = payload.uint(1); count > 0n; count--) tokens.push(payload.hex(20));
  same("tokens listed twice", new Set(tokens).size, tokens.length);
  const unused = tokens.slice(2).filter((token) => !route.fills.some(({ sellToken }) => sellToken === token));
  if (unused.length > 0) throw new Error(`token ${unused[0]} is listed and not spent`);
  return tokens;
}

/** Reads a fill with all that says more of it. Answers how its venue is paid and the high two bits of its first byte. */
export function readFill(
  expected: Expectation,
  payload: ByteReader,
  tokens: readonly string[],
  fill: Fill,
  where: string,
): { readonly delivery: ActionVerifier["delivery"]; readonly way: bigint } {
  const first = payload.uint(1);
  const sold = tokens[Number(payload.uint(1))];
  const bought = tokens[Number(payload.uint(1))];
  same(`${where} sellToken`, sold, fill.sellToken);
  same(`${where} buyToken`, bought, fill.buyToken);
  same(`${where} share`, payload.uint(4), fill.share);
  const detail = payload.uint(3);
  const pool = payload.hex(20);
  const venue = first % 64n;
  const action = expected.action?.(fill);
  const verifier = verifyVenue({ expected, payload, fill, given: { venue, detail, pool }, action, where });
  return { delivery: verifier.delivery, way: first / 64n };
}

/** Holds a venue against its fill. Answers what knows it. @throws Error naming the first difference */
function verifyVenue(check: VenueCheck): ActionVerifier {
  const { expected, given, action, where } = check;
  const verifier = expected.verifiers.get(given.venue);
  if (verifier === undefined) throw new Error(`${where}: no such venue ${given.venue}`);
  if (action !== undefined) same(`${where} venue`, verifier.actionBy(given.detail), action.action);
  if (!verifier.admits(given.detail)) throw new Error(`${where}: no detail of ${given.detail} here`);
  verifier.verify(check);
  return verifier;
}
