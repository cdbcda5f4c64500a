import { type AbiFunction, concat, encodeFunctionData, numberToHex, pad, size, slice, toFunctionSelector } from "viem";
import { type Address, type Hex, NATIVE_TOKEN, ZERO_ADDRESS } from "../domain/address.ts";
import { type ExactInRoute, type ExactOutRoute, type Fill, type Route, SHARE_ONE } from "../domain/route.ts";
import { partsOf } from "../domain/terms/swap-fee.ts";
import type { VenueAction } from "../domain/venue-action.ts";
import { MAX_UINT256 } from "../math/full-math.ts";
import type { SignedBy, SwapTerms, SwapTransaction } from "../quoting/ports.ts";
import { type ActionEncoder, ENTRY_BYTES, type EncodedVenue } from "./action-codec.ts";
import { gatewayArtifact } from "./artifacts.ts";
import type { SettlementContracts } from "./contracts.ts";
import type { GatewayOrder } from "./permits.ts";

type ActionOf = (fill: Fill) => VenueAction;

/** A fill's venue as bytes, and how it is paid. */
interface Venue {
  readonly encoder: ActionEncoder;
  readonly encoded: EncodedVenue;
}

/** A fill's first byte has its venue in the low six bits, and its way in the high two. */
const WAY_SHIFT = 6;

/** Recipient of an exact-in fill's output. */
const TO_EXECUTOR = 0;
const TO_PAYEE = 1;
const TO_NEXT = 2;

/** Largest count in one byte. */
const MAX_COUNTED = 255;

/** Contracts of a chain, and the encoder of each action by its name. */
export interface EncodingFor {
  readonly contracts: SettlementContracts;
  readonly encoders: ReadonlyMap<string, ActionEncoder>;
}

/**
 * The transaction that swaps by `route` under `terms`. The payload's layout is documented in contracts/src/Payload.sol.
 * @throws RangeError when a route does not fit the layout: more than 254 intermediate tokens, a fill that spends the bought
 * token or makes the sold one.
 */
export function encodeSwap(
  { contracts, encoders }: EncodingFor,
  route: Route,
  terms: SwapTerms,
  action: ActionOf,
): SwapTransaction {
  const payload = payloadOf(
    route,
    route.fills.map((fill) => venueOf(encoders, fill, action(fill))),
  );
  const data = gatewayCall(terms, contracts.executor.address, payload);
  const value = terms.sellToken === NATIVE_TOKEN ? terms.maxSellAmount : 0n;
  return { to: contracts.gateway.address, data, value };
}

function venueOf(encoders: EncodingFor["encoders"], fill: Fill, action: VenueAction): Venue {
  const encoder = encoders.get(action.action);
  if (encoder === undefined) throw new RangeError(`no venue encodes the action ${action.action}`);
  return { encoder, encoded: encoder.encode(action, fill) };
}

function payloadOf(route: Route, venues: readonly Venue[]): Hex {
  const tokens = numberedTokens(route);
  const intermediate = tokens.slice(2);
  const fills = route.fills.map((fill, i) => {
    const { encoder, encoded } = venues[i]!;
    const way =
      route.kind === "exactIn" ? destinationOf(route, i, venues[i + 1]) : straightnessOf(route, fill, encoder);
    return concat([
      byte(encoder.code | (way << WAY_SHIFT)),
      byte(tokens.indexOf(fill.sellToken)),
      byte(tokens.indexOf(fill.buyToken)),
      numberToHex(fill.share, { size: 4 }),
      numberToHex(encoded.detail, { size: 3 }),
      encoded.pool,
      ...entriesOf(encoded.more ?? "0x"),
    ]);
  });
  const kind = route.kind === "exactIn" ? byte(0) : concat([byte(1), numberToHex(route.buyAmount, { size: 32 })]);
  return concat([kind, byte(intermediate.length), ...intermediate, ...fills]);
}

/** By their numbers: the sold one, the bought one, all others. */
function numberedTokens(route: Route): readonly Address[] {
  const tokens: Address[] = [route.sellToken, route.buyToken];
  for (const { sellToken, buyToken } of route.fills) {
    if (sellToken === route.buyToken || buyToken === route.sellToken) {
      throw new RangeError("a route may neither spend what it buys nor make what it sells");
    }
    for (const token of [sellToken, buyToken]) if (!tokens.includes(token)) tokens.push(token);
  }
  return tokens;
}

/**
 * The bought token goes straight to the payee; an intermediate token straight into the next fill's pair when nobody
 * else makes or takes it.
 */
function destinationOf(route: ExactInRoute, index: number, following: Venue | undefined): number {
  const fill = route.fills[index]!;
  if (fill.buyToken === route.buyToken) return TO_PAYEE;
  const takers = route.fills.filter((other) => other.sellToken === fill.buyToken);
  const next = route.fills[index + 1];
  const soleMaker = route.fills.filter((other) => other.buyToken === fill.buyToken).length === 1;
  const straight =
    next !== undefined &&
    soleMaker &&
    takers.length === 1 &&
    takers[0] === next &&
    next.share === SHARE_ONE &&
    following?.encoder.delivery === "ahead";
  return straight ? TO_NEXT : TO_EXECUTOR;
}

/** 1 where what an exact-out fill takes comes to its pool straight from those that make it: nobody else takes of it. */
function straightnessOf(route: ExactOutRoute, fill: Fill, { delivery }: ActionEncoder): number {
  const alone = route.fills.filter((other) => other.sellToken === fill.sellToken).length === 1;
  return alone && fill.sellToken !== route.sellToken && delivery !== "own" ? 1 : 0;
}

/** Bytes cut into entries, the last one filled up with zeros. */
function entriesOf(bytes: Hex): readonly Hex[] {
  return Array.from({ length: Math.ceil(size(bytes) / ENTRY_BYTES) }, (_, i) => {
    const end = Math.min((i + 1) * ENTRY_BYTES, size(bytes));
    return pad(slice(bytes, i * ENTRY_BYTES, end), { dir: "right", size: ENTRY_BYTES });
  });
}

function byte(value: number): Hex {
  if (value > MAX_COUNTED) throw new RangeError(`${value} does not fit one byte: the route is too large to encode`);
  return numberToHex(value, { size: 1 });
}

/** All of a balance, in billionths. */
const WHOLE = 1_000_000_000n;

const SELECTOR_BYTES = 4;
const WORD = 32;

/**
 * Whether plain terms say all: one fee at most, of what is bought, no share of surplus, and an allowance. Their call is the
 * cheapest.
 */
export function isPlain({ fee, surplus, wholeBalance, signed }: SwapTerms): boolean {
  const hasPlainFee = fee?.fromSold !== true && partsOf(fee).length <= 1;
  return hasPlainFee && surplus === undefined && signed === undefined && wholeBalance !== true;
}

/** Terms as the order that the gateway takes. */
function orderOfTerms(terms: SwapTerms, executor: Address): GatewayOrder {
  const { sellToken, maxSellAmount, buyToken, minBuyAmount, recipient, deadline, fee } = terms;
  return {
    ...{ executor, sellToken, maxSellAmount, buyToken, minBuyAmount, recipient, deadline },
    fees: partsOf(fee).map(({ ratePpm, recipient: to }) => ({ recipient: to, ratePpm })),
    feesFromSold: fee?.fromSold ?? false,
    balanceShare: terms.wholeBalance === true ? WHOLE : 0n,
    quotedBuyAmount: terms.surplus?.quotedBuyAmount ?? 0n,
    surplusPpm: terms.surplus?.ratePpm ?? 0n,
    surplusRecipient: terms.surplus?.recipient ?? ZERO_ADDRESS,
  };
}

/** Calldata of the gateway's for a payload under terms. */
function gatewayCall(terms: SwapTerms, executor: Address, payload: Hex): Hex {
  if (isPlain(terms)) return plainCall(terms, executor, payload);
  const order = orderOfTerms(terms, executor);
  if (terms.signed === undefined) return callOf("swapByOrder", [order, payload]);
  return terms.signed.kind === "eip2612"
    ? withoutSignature(callOf("swapOrderWithApproval", [order, "0x", payload]), 1)
    : withoutSignature(callOf("swapSignedOrder", [order, transferOf(terms.signed), payload]), 1, 2);
}

/** Words of plain terms with the offset of the payload: from the arguments' beginning to its length. */
const PLAIN_HEAD_WORDS = 10;
const SWAP = toFunctionSelector(
  gatewayArtifact.abi.find((item) => item.type === "function" && item.name === "swap") as AbiFunction,
);

/** The call that nearly all make, written word by word: viem takes longer for it than for all the rest of a transaction. */
function plainCall(terms: SwapTerms, executor: Address, payload: Hex): Hex {
  const { sellToken, maxSellAmount, buyToken, minBuyAmount, recipient, deadline, fee } = terms;
  const head = [
    ...[executor, sellToken, maxSellAmount, buyToken, minBuyAmount, recipient, deadline],
    ...[fee?.ratePpm ?? 0n, fee?.recipient ?? ZERO_ADDRESS],
    BigInt(PLAIN_HEAD_WORDS * WORD),
    BigInt(size(payload)),
  ];
  const digits = 2 * WORD * Math.ceil(size(payload) / WORD);
  return `${SWAP}${head.map(word).join("")}${payload.slice(2).padEnd(digits, "0")}`;
}

/** A number or an address as a word. @throws RangeError when the number is none of 256 bits */
function word(value: bigint | Address): string {
  if (typeof value === "bigint" && (value < 0n || value > MAX_UINT256)) throw new RangeError(`${value} is no uint256`);
  const digits = typeof value === "bigint" ? value.toString(16) : value.slice(2);
  return digits.padStart(2 * WORD, "0");
}

function callOf(functionName: string, args: readonly unknown[]): Hex {
  return encodeFunctionData({ abi: gatewayArtifact.abi, functionName, args });
}

function transferOf({ nonce, owner }: Extract<SignedBy, { kind: "permit2" }>) {
  return { nonce, owner, signature: "0x" };
}

/**
 * Calldata that ends where a signature's length and bytes are to follow: the ABI lets dynamic values stand in any order, and
 * the one at `at` (a word of the arguments, or of the tuple that this word points to) is moved behind all others.
 */
function withoutSignature(data: Hex, at: number, within?: number): Hex {
  const args = slice(data, SELECTOR_BYTES);
  const wordAt = (offset: number) => Number(BigInt(slice(args, offset, offset + WORD)));
  const base = within === undefined ? 0 : wordAt(at * WORD);
  const place = base + (within ?? at) * WORD;
  const end = (args.length - 2) / 2;
  const pointer = numberToHex(end - base, { size: WORD });
  return concat([slice(data, 0, SELECTOR_BYTES), slice(args, 0, place), pointer, slice(args, place + WORD)]);
}
