import { concat, encodeFunctionData, numberToHex } from "viem";
import { type Address, type Hex, NATIVE_TOKEN, ZERO_ADDRESS } from "../domain/address.ts";
import {
  type ExactInRoute,
  type ExactOutRoute,
  type Fill,
  type FillTree,
  type Route,
  SHARE_ONE,
} from "../domain/route.ts";
import type { VenueAction } from "../domain/venue-action.ts";
import type { SwapTerms, SwapTransaction } from "../quoting/ports.ts";
import { gatewayArtifact } from "./artifacts.ts";
import type { SettlementContracts } from "./contracts.ts";
import { encodeVenue } from "./encode-venue.ts";

type ActionOf = (fill: Fill) => VenueAction;

/** Where a fill's output goes: the high four bits of its first byte. */
const TO_EXECUTOR = 0;
const TO_PAYEE = 1;
const TO_NEXT = 2;

/** Sizes of one entry of a payload. */
const FILL_BYTES = 30;
const NODE_BYTES = 49;
/** What one byte can count: entries of a node with all below it. */
const MOST_COUNTED = 255;

/**
 * The transaction that swaps by `route` under `terms`. The payload's layout is documented in contracts/src/Executor.sol.
 * @throws RangeError when a route does not fit the layout: more than 253 intermediate tokens, 255 nodes below
 * one, a fill that spends the bought token or makes the sold one.
 */
export function encodeSwap(
  contracts: SettlementContracts,
  route: Route,
  terms: SwapTerms,
  action: ActionOf,
): SwapTransaction {
  const payload = route.kind === "exactIn" ? exactInPayload(route, action) : exactOutPayload(route, action);
  const data = encodeFunctionData({
    abi: gatewayArtifact.abi,
    functionName: "swap",
    args: [
      {
        executor: contracts.executor.address,
        sellToken: terms.sellToken,
        maxSellAmount: terms.maxSellAmount,
        buyToken: terms.buyToken,
        minBuyAmount: terms.minBuyAmount,
        recipient: terms.recipient,
        deadline: terms.deadline,
        feeRatePpm: terms.fee?.ratePpm ?? 0n,
        feeRecipient: terms.fee?.recipient ?? ZERO_ADDRESS,
      },
      payload,
    ],
  });
  const value = terms.sellToken === NATIVE_TOKEN ? terms.maxSellAmount : 0n;
  return { to: contracts.gateway.address, data, value };
}

/** How much of the layout's room a route takes up: above 1 it cannot be encoded. Only nodes of trees come near that. */
export function fullness(route: Route, action: ActionOf): number {
  if (route.kind === "exactIn") return 0;
  return Math.max(...route.legs.map((leg) => entriesOf(leg, action))) / MOST_COUNTED;
}

/** Entries of a node and of those below it. */
function entriesOf(fill: FillTree, action: ActionOf): number {
  const { more } = encodeVenue(fill, action(fill), NODE_BYTES);
  return fill.inputs.reduce((sum, input) => sum + entriesOf(input, action), 1 + more.length);
}

function exactInPayload(route: ExactInRoute, action: ActionOf): Hex {
  const tokens: Address[] = [route.sellToken, route.buyToken];
  for (const { sellToken, buyToken } of route.fills) {
    if (sellToken === route.buyToken || buyToken === route.sellToken) {
      throw new RangeError("a route may neither spend what it buys nor make what it sells");
    }
    for (const token of [sellToken, buyToken]) if (!tokens.includes(token)) tokens.push(token);
  }
  const intermediate = tokens.slice(2);
  const fills = route.fills.map((fill, i) => {
    const venue = encodeVenue(fill, action(fill), FILL_BYTES);
    return concat([
      byte(venue.code | (destinationOf(route, i, action) << 4)),
      byte(tokens.indexOf(fill.sellToken)),
      byte(tokens.indexOf(fill.buyToken)),
      numberToHex(fill.share, { size: 4 }),
      numberToHex(venue.detail, { size: 3 }),
      venue.pool,
      ...venue.more,
    ]);
  });
  return concat([byte(0), byte(intermediate.length), ...intermediate, ...fills]);
}

/**
 * The bought token goes straight to the payee; an intermediate token straight into the next fill's pair when nobody
 * else makes or takes it.
 */
function destinationOf(route: ExactInRoute, index: number, action: ActionOf): number {
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
    isPaidBefore(action(next));
  return straight ? TO_NEXT : TO_EXECUTOR;
}

/** Whether a venue is paid before it is called. */
function isPaidBefore({ action }: VenueAction): boolean {
  return action === "v2-pair" || action === "solidly-pool";
}

function exactOutPayload(route: ExactOutRoute, action: ActionOf): Hex {
  return concat([
    byte(1),
    numberToHex(route.buyAmount, { size: 32 }),
    ...route.legs.flatMap((leg) => nodesOf(leg, action)),
  ]);
}

/** A node and those below it, the node first. */
function nodesOf(fill: FillTree, action: ActionOf): readonly Hex[] {
  const below = fill.inputs.flatMap((input) => nodesOf(input, action));
  const venue = encodeVenue(fill, action(fill), NODE_BYTES);
  const node = concat([
    byte(venue.code),
    venue.pool,
    fill.sellToken,
    numberToHex(venue.detail, { size: 3 }),
    numberToHex(fill.share, { size: 4 }),
    byte(below.length + venue.more.length + 1),
  ]);
  return [node, ...venue.more, ...below];
}

function byte(value: number): Hex {
  if (value > MOST_COUNTED) throw new RangeError(`${value} does not fit one byte: the route is too large to encode`);
  return numberToHex(value, { size: 1 });
}
