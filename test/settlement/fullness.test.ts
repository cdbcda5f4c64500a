import { expect, it } from "vitest";
import { type Address, toAddress } from "../../src/domain/address.ts";
import { type ExactOutRoute, type Fill, type FillTree, fillsOf, SHARE_ONE } from "../../src/domain/route.ts";
import type { VenueAction } from "../../src/domain/venue-action.ts";
import { createSettlement } from "../../src/settlement/settlement.ts";
import { WRAPPED } from "./random-routes.ts";
import { termsFor } from "./swap.ts";

const at = (n: number) => toAddress(`0x${n.toString(16).padStart(40, "0")}`);
const [SOLD, BETWEEN, BOUGHT, POOL] = [at(1), at(2), at(3), at(4)];
const settlement = createSettlement({ wrappedNative: WRAPPED, deployed: true });

/** One entry of the payload, and two. */
const PAIR: VenueAction = { action: "v2-pair", pair: POOL, feePpm: 3000 };
const V4: VenueAction = { action: "v4-pool", manager: POOL, fee: 3000, tickSpacing: 60, hooks: POOL };

function fillOf(sellToken: Address, buyToken: Address, inputs: readonly FillTree[]): FillTree {
  return {
    poolId: POOL,
    source: "Test",
    sellToken,
    buyToken,
    sellAmount: 1n,
    buyAmount: 1n,
    gas: 1n,
    share: SHARE_ONE,
    inputs,
  };
}

/** A purchase by `legs` pools, each fed by `below` others. */
function purchase(legs: number, below: number): ExactOutRoute {
  const inputs = Array.from({ length: below }, () => fillOf(SOLD, BETWEEN, []));
  const tokens = { sellToken: SOLD, buyToken: BOUGHT, sellAmount: 1n, buyAmount: 1n };
  return { kind: "exactOut", ...tokens, legs: Array.from({ length: legs }, () => fillOf(BETWEEN, BOUGHT, inputs)) };
}

function encodes(route: ExactOutRoute, action: (fill: Fill) => VenueAction): boolean {
  try {
    settlement.encode(route, termsFor(route), action);
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(RangeError);
    return false;
  }
}

it.each([
  ["254 pairs below one", 1, 254, PAIR, 255],
  ["255 pairs below one", 1, 255, PAIR, 256],
  ["126 pools of Uniswap V4 below one", 1, 126, V4, 254],
  ["127 pools of Uniswap V4 below one", 1, 127, V4, 256],
  ["two legs of as many", 2, 126, V4, 254],
] as const)("what the layout has room for is what can be encoded: %s", (_, legs, below, action, entries) => {
  const route = purchase(legs, below);
  expect(fillsOf(route)).toHaveLength(legs * (below + 1));
  expect(settlement.fullness(route, () => action)).toBe(entries / 255);
  expect(encodes(route, () => action)).toBe(entries <= 255);
});
