import type { Address } from "../../../src/domain/address.ts";
import { type ExactInRoute, type ExactOutRoute, type Fill, SHARE_ONE } from "../../../src/domain/route.ts";
import { mathOf, type Pool, withState } from "../../../src/pools/pool.ts";
import { isRejection } from "../../../src/pools/pool-math.ts";
import { touchGas } from "../../../src/pools/touch-gas.ts";
import type { World } from "./venues.ts";

/** One touch to make: pool, tokens, and the share in percent that it takes (100: the rest). */
export type Touch = readonly [pool: Address, sellToken: Address, buyToken: Address, percent?: number];

const shareOf = (percent = 100) => (SHARE_ONE * BigInt(percent)) / 100n;

/** Evaluates pools as they are at the start of a test, and remembers what each swap leaves behind. */
function ledgerOf(world: World) {
  const pools = new Map<Address, Pool>(world.states);
  return (address: Address, sellToken: Address, buyToken: Address, amount: bigint, exactOut: boolean) => {
    const pool = pools.get(address)!;
    const direction = { sell: pool.tokens.indexOf(sellToken), buy: pool.tokens.indexOf(buyToken) };
    const math = mathOf(pool);
    const answer = exactOut
      ? math.quoteExactOut(pool.state, direction, amount, 0n)
      : math.quoteExactIn(pool.state, direction, amount, 0n);
    if (isRejection(answer)) throw new Error(`${address} rejects ${amount}: ${answer.rejected}`);
    const gas = touchGas(pool, direction, answer.gas, pool !== world.states.get(address));
    pools.set(address, withState(pool, answer.next));
    return { amount: answer.amount, gas };
  };
}

/** The exact-in route over these touches, with the arithmetic that the contract documents. */
export function exactIn(
  world: World,
  sellToken: Address,
  buyToken: Address,
  sellAmount: bigint,
  touches: readonly Touch[],
): ExactInRoute {
  const swap = ledgerOf(world);
  const left = new Map<Address, bigint>([[sellToken, sellAmount]]);
  const fills = touches.map(([pool, sells, buys, percent]): Fill => {
    const share = shareOf(percent);
    const has = left.get(sells) ?? 0n;
    const amount = (has * share) / SHARE_ONE;
    const got = swap(pool, sells, buys, amount, false);
    left.set(sells, has - amount);
    left.set(buys, (left.get(buys) ?? 0n) + got.amount);
    const tokens = { sellToken: sells, buyToken: buys };
    return { poolId: pool, source: "Test", ...tokens, sellAmount: amount, buyAmount: got.amount, ...got.gas, share };
  });
  return { kind: "exactIn", sellToken, buyToken, sellAmount, buyAmount: left.get(buyToken) ?? 0n, fills };
}

/** The exact-out route over these touches, back to front: those that take a token stand before those that make it. */
export function exactOut(
  world: World,
  sellToken: Address,
  buyToken: Address,
  buyAmount: bigint,
  touches: readonly Touch[],
): ExactOutRoute {
  const swap = ledgerOf(world);
  const needed = new Map<Address, bigint>([[buyToken, buyAmount]]);
  const fills = touches.map(([pool, sells, buys, percent]): Fill => {
    const share = shareOf(percent);
    const wanted = needed.get(buys) ?? 0n;
    const amount = (wanted * share + SHARE_ONE - 1n) / SHARE_ONE;
    const cost = swap(pool, sells, buys, amount, true);
    needed.set(buys, wanted - amount);
    needed.set(sells, (needed.get(sells) ?? 0n) + cost.amount);
    const tokens = { sellToken: sells, buyToken: buys };
    return { poolId: pool, source: "Test", ...tokens, sellAmount: cost.amount, buyAmount: amount, ...cost.gas, share };
  });
  return { kind: "exactOut", sellToken, buyToken, sellAmount: needed.get(sellToken) ?? 0n, buyAmount, fills };
}
