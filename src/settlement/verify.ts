import { type AbiFunction, toFunctionSelector } from "viem";
import type { Hex } from "../domain/address.ts";
import type { ExactInRoute, ExactOutRoute, FillTree, Route } from "../domain/route.ts";
import type { SwapTerms, SwapTransaction } from "../quoting/ports.ts";
import { gatewayArtifact } from "./artifacts.ts";
import { type ByteReader, byteReader } from "./byte-reader.ts";
import { type Expectation, NATIVE, NOBODY, same } from "./expectation.ts";
import { verifyVenue } from "./verify-venue.ts";

/**
 * Reads a transaction as the contracts will, byte by byte, and holds all of it against route and terms. Knows the
 * layout from contracts/src only and shares nothing with `encode`, so that a slip in either shows.
 * @throws Error naming the first difference.
 */
export function verifySwap(expected: Expectation, transaction: SwapTransaction, route: Route, terms: SwapTerms): void {
  same("to", transaction.to, expected.gateway);
  const native = terms.sellToken === NATIVE;
  same("value", transaction.value, native ? terms.maxSellAmount : 0n);

  const reader = byteReader(transaction.data);
  same("selector", reader.hex(4), selectorOf("swap"));
  same("executor", wordAddress(reader), expected.executor);
  same("sellToken", wordAddress(reader), terms.sellToken);
  same("maxSellAmount", reader.uint(32), terms.maxSellAmount);
  same("buyToken", wordAddress(reader), terms.buyToken);
  same("minBuyAmount", reader.uint(32), terms.minBuyAmount);
  if (terms.minBuyAmount <= 0n) throw new Error("minBuyAmount is not above zero");
  same("recipient", wordAddress(reader), terms.recipient);
  same("deadline", reader.uint(32), terms.deadline);
  const feeRatePpm = reader.uint(32);
  same("fee rate", feeRatePpm, terms.fee?.ratePpm ?? 0n);
  if (feeRatePpm > 100_000n) throw new Error(`fee rate ${feeRatePpm} is above the cap`);
  same("fee recipient", wordAddress(reader), terms.fee?.recipient ?? NOBODY);
  same("payload offset", reader.uint(32), 11n * 32n - 32n);
  const length = Number(reader.uint(32));
  const payload = byteReader(reader.hex(length));
  const padding = reader.hex(reader.left());
  same("padding", padding, `0x${"00".repeat((32 - (length % 32)) % 32)}`);

  same("route sellToken", route.sellToken, terms.sellToken);
  same("route buyToken", route.buyToken, terms.buyToken);
  const kind = payload.uint(1);
  if (route.kind === "exactIn") {
    same("kind", kind, 0n);
    same("route sellAmount", route.sellAmount, terms.maxSellAmount);
    verifyFills(expected, payload, route);
  } else {
    same("kind", kind, 1n);
    if (route.sellAmount > terms.maxSellAmount) throw new Error("the route sells more than maxSellAmount");
    same("made amount", payload.uint(32), route.buyAmount);
    for (const [i, leg] of route.legs.entries()) verifyNode(expected, payload, route, leg, route.buyToken, `leg ${i}`);
  }
  same("bytes after the route", payload.left(), 0);
}

/** Follows tokens through an exact-in payload: who holds what, and that each pair is paid before it swaps. */
function verifyFills(expected: Expectation, payload: ByteReader, route: ExactInRoute): void {
  const tokens: string[] = [route.sellToken, route.buyToken];
  for (let count = payload.uint(1); count > 0n; count--) tokens.push(payload.hex(20));
  same("tokens listed twice", new Set(tokens).size, tokens.length);

  let prepaid: string | undefined;
  /** What the executor got of a token that one fill makes and one takes: the next pair should have been paid with it. */
  let kept: string | undefined;
  for (const [i, fill] of route.fills.entries()) {
    const where = `fill ${i}`;
    const first = payload.uint(1);
    const sold = tokens[Number(payload.uint(1))];
    const bought = tokens[Number(payload.uint(1))];
    same(`${where} sellToken`, sold, fill.sellToken);
    same(`${where} buyToken`, bought, fill.buyToken);
    same(`${where} share`, payload.uint(4), fill.share);
    const detail = payload.uint(3);
    const pool = payload.hex(20);
    const venue = first % 16n;
    verifyVenue(expected, payload, fill, { venue, detail, pool, entryBytes: 30 }, where);
    const takesAll = (venue === 0n || venue === 3n) && fill.share === 1_000_000_000n;
    if (prepaid !== undefined && !(takesAll && prepaid === fill.sellToken)) {
      throw new Error(`${where}: was paid ahead, but does not take all of it as a pair`);
    }
    if (takesAll && kept === fill.sellToken) throw new Error(`${where}: is a pair, and was not paid ahead`);

    const destination = first / 16n;
    same(`${where} goes to the payee`, destination === 1n, fill.buyToken === route.buyToken);
    if (destination > 2n) throw new Error(`${where}: no such destination ${destination}`);
    const makers = route.fills.filter(({ buyToken }) => buyToken === fill.buyToken).length;
    const takers = route.fills.filter(({ sellToken }) => sellToken === fill.buyToken).length;
    const alone = makers === 1 && takers === 1;
    prepaid = destination === 2n ? fill.buyToken : undefined;
    kept = destination === 0n && alone ? fill.buyToken : undefined;
    if (prepaid !== undefined && !alone) throw new Error(`${where}: pays ahead a token that others make or take`);
  }
  if (prepaid !== undefined) throw new Error("the last fill pays a pair that does not follow");
  const unused = tokens.slice(2).filter((token) => !route.fills.some(({ sellToken }) => sellToken === token));
  if (unused.length > 0) throw new Error(`token ${unused[0]} is listed and not spent`);
}

/** Reads one node and those below it. Answers the number of nodes read. */
function verifyNode(
  expected: Expectation,
  payload: ByteReader,
  route: ExactOutRoute,
  fill: FillTree,
  makes: string,
  where: string,
): bigint {
  const venue = payload.uint(1);
  const pool = payload.hex(20);
  same(`${where} takes`, payload.hex(20), fill.sellToken);
  same(`${where} makes`, makes, fill.buyToken);
  const detail = payload.uint(3);
  same(`${where} share`, payload.uint(4), fill.share);
  const size = payload.uint(1);
  let nodes = 1n + verifyVenue(expected, payload, fill, { venue, detail, pool, entryBytes: 49 }, where);
  if (fill.inputs.length === 0) same(`${where} takes the sold token`, fill.sellToken, route.sellToken);
  for (const [i, input] of fill.inputs.entries()) {
    nodes += verifyNode(expected, payload, route, input, fill.sellToken, `${where}.${i}`);
  }
  same(`${where} size`, size, nodes);
  return nodes;
}

function selectorOf(name: string): Hex {
  const item = gatewayArtifact.abi.find((entry) => entry.type === "function" && entry.name === name);
  return toFunctionSelector(item as AbiFunction);
}

/** An address in a word of its own, whose upper bytes are clean. */
function wordAddress(reader: ByteReader): string {
  same("upper bytes of an address", reader.uint(12), 0n);
  return reader.hex(20);
}
