import { type AbiFunction, toFunctionSelector } from "viem";
import type { Hex } from "../domain/address.ts";
import type { Route } from "../domain/route.ts";
import { partsOf } from "../domain/terms/swap-fee.ts";
import type { SwapTerms, SwapTransaction } from "../quoting/ports.ts";
import { gatewayArtifact } from "./artifacts.ts";
import { type ByteReader, byteReader } from "./byte-reader.ts";
import { type Expectation, NATIVE, NOBODY, same } from "./expectation.ts";
import { verifyExactIn, verifyExactOut } from "./verify-fills.ts";

const PPM = 1_000_000n;

/** The gateway's functions by name. */
const SELECTORS: ReadonlyMap<string, Hex> = new Map(
  gatewayArtifact.abi
    .filter((item): item is AbiFunction => item.type === "function")
    .map((item) => [item.name, toFunctionSelector(item)]),
);

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

/** Part of the maximum that fees on the sold token leave for the executor, by the gateway's formula. */
function mostForRoute({ maxSellAmount, fee }: SwapTerms): bigint {
  if (fee?.fromSold !== true) return maxSellAmount;
  return partsOf(fee).reduce((left, { ratePpm }) => left - (maxSellAmount * ratePpm) / PPM, maxSellAmount);
}

const WORD = 32n;
const PLAIN_WORDS = 9n;
const ORDER_WORDS = 13n;
const MAX_FEES = 4;
const CAP_PPM = 100_000n;
const SURPLUS_CAP_PPM = 500_000n;

/**
 * Reads the gateway's calldata up to its payload, which is answered, and holds every word of it against the terms. Knows the
 * contract's own layout only and shares nothing with what encodes it.
 * @throws Error naming the first difference.
 */
function verifyCall(expected: Expectation, data: Hex, terms: SwapTerms): ByteReader {
  if (terms.minBuyAmount <= 0n) throw new Error("minBuyAmount is not above zero");
  const reader = byteReader(data);
  const selector = reader.hex(4);
  const fees = partsOf(terms.fee);
  if (selector === SELECTORS.get("swap")) {
    const goesBeyond = terms.signed !== undefined || terms.wholeBalance === true || terms.surplus !== undefined;
    if (goesBeyond || terms.fee?.fromSold === true || fees.length > 1) {
      throw new Error("selector: plain terms do not say all that was agreed");
    }
    verifyTerms(expected, reader, terms);
    return payloadIn(reader);
  }
  const { signed } = terms;
  same("selector", selector, SELECTORS.get(entryOf(signed)));
  const orderWords = ORDER_WORDS + 1n + 2n * BigInt(fees.length);
  const headWords = signed === undefined ? 2n : 3n;
  same("order offset", reader.uint(32), headWords * WORD);
  const end = BigInt((data.length - 2) / 2 - 4);
  const afterOrder = (headWords + orderWords) * WORD;
  // Behind an order come an empty signature, which nothing points to, and for Permit2 the words that say whose it is.
  const between = signed === undefined ? 0n : signed.kind === "eip2612" ? 1n : 4n;
  if (signed?.kind === "eip2612") same("signature offset", reader.uint(32), end);
  if (signed?.kind === "permit2") same("transfer offset", reader.uint(32), afterOrder);
  same("payload offset", reader.uint(32), afterOrder + between * WORD);
  verifyOrder(expected, reader, terms);
  if (signed?.kind === "permit2") {
    same("nonce", reader.uint(32), signed.nonce);
    same("owner", wordAddress(reader), signed.owner);
    same("signature offset", reader.uint(32), end - afterOrder);
  }
  if (signed !== undefined) same("empty signature", reader.uint(32), 0n);
  return bytesIn(reader);
}

function entryOf(signed: SwapTerms["signed"]): string {
  if (signed === undefined) return "swapByOrder";
  return signed.kind === "eip2612" ? "swapOrderWithApproval" : "swapSignedOrder";
}

function verifyTerms(expected: Expectation, reader: ByteReader, terms: SwapTerms): void {
  verifyShared(expected, reader, terms);
  const feeRatePpm = reader.uint(32);
  same("fee rate", feeRatePpm, terms.fee?.ratePpm ?? 0n);
  if (feeRatePpm > CAP_PPM) throw new Error(`fee rate ${feeRatePpm} is above the cap`);
  same("fee recipient", wordAddress(reader), terms.fee?.recipient ?? NOBODY);
}

function verifyOrder(expected: Expectation, reader: ByteReader, terms: SwapTerms): void {
  verifyShared(expected, reader, terms);
  same("fees offset", reader.uint(32), ORDER_WORDS * WORD);
  same("fee side", reader.uint(32), terms.fee?.fromSold === true ? 1n : 0n);
  same("balance share", reader.uint(32), terms.wholeBalance === true ? 1_000_000_000n : 0n);
  verifySurplus(reader, terms);
  const fees = partsOf(terms.fee);
  if (fees.length > MAX_FEES) throw new Error(`${fees.length} fees are more than the gateway takes`);
  same("number of fees", reader.uint(32), BigInt(fees.length));
  let total = 0n;
  for (const { recipient, ratePpm } of fees) {
    same("fee recipient", wordAddress(reader), recipient);
    same("fee rate", reader.uint(32), ratePpm);
    if (ratePpm <= 0n) throw new Error("a fee rate is not above zero");
    total += ratePpm;
  }
  if (total > CAP_PPM) throw new Error(`fee rates of ${total} together are above the cap`);
}

function verifySurplus(reader: ByteReader, { surplus, minBuyAmount }: SwapTerms): void {
  same("quoted amount", reader.uint(32), surplus?.quotedBuyAmount ?? 0n);
  same("surplus rate", reader.uint(32), surplus?.ratePpm ?? 0n);
  same("surplus recipient", wordAddress(reader), surplus?.recipient ?? NOBODY);
  if (surplus === undefined) return;
  if (surplus.quotedBuyAmount < minBuyAmount) throw new Error("surplus counts from below minBuyAmount");
  if (surplus.ratePpm <= 0n) throw new Error("the surplus rate is not above zero");
  if (surplus.ratePpm > SURPLUS_CAP_PPM) throw new Error(`surplus rate ${surplus.ratePpm} is above the cap`);
}

function verifyShared(expected: Expectation, reader: ByteReader, terms: SwapTerms): void {
  same("executor", wordAddress(reader), expected.executor);
  same("sellToken", wordAddress(reader), terms.sellToken);
  same("maxSellAmount", reader.uint(32), terms.maxSellAmount);
  same("buyToken", wordAddress(reader), terms.buyToken);
  same("minBuyAmount", reader.uint(32), terms.minBuyAmount);
  same("recipient", wordAddress(reader), terms.recipient);
  same("deadline", reader.uint(32), terms.deadline);
}

function payloadIn(reader: ByteReader): ByteReader {
  same("payload offset", reader.uint(32), (PLAIN_WORDS + 1n) * WORD);
  return bytesIn(reader);
}

/** The bytes that all the rest of the calldata is. */
function bytesIn(reader: ByteReader): ByteReader {
  const length = Number(reader.uint(32));
  const payload = byteReader(reader.hex(length));
  const padding = reader.hex(reader.left());
  same("padding", padding, `0x${"00".repeat((32 - (length % 32)) % 32)}`);
  return payload;
}

/** An address in a word of its own, whose upper bytes are clean. */
function wordAddress(reader: ByteReader): string {
  same("upper bytes of an address", reader.uint(12), 0n);
  return reader.hex(20);
}
