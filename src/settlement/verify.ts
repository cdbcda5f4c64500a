import { type AbiFunction, toFunctionSelector } from "viem";
import type { Hex } from "../domain/address.ts";
import type { Route } from "../domain/route.ts";
import type { SwapTerms, SwapTransaction } from "../quoting/ports.ts";
import { gatewayArtifact } from "./artifacts.ts";
import { type ByteReader, byteReader } from "./byte-reader.ts";
import { type Expectation, NATIVE, NOBODY, same } from "./expectation.ts";
import { verifyExactIn } from "./verify-exact-in.ts";
import { verifyExactOut } from "./verify-exact-out.ts";

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
    verifyExactIn(expected, payload, route);
  } else {
    same("kind", kind, 1n);
    if (route.sellAmount > terms.maxSellAmount) throw new Error("the route sells more than maxSellAmount");
    same("made amount", payload.uint(32), route.buyAmount);
    verifyExactOut(expected, payload, route);
  }
  same("bytes after the route", payload.left(), 0);
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
