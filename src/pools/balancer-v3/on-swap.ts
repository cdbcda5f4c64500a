import { divRoundingUp } from "../../math/full-math.ts";
import { stableBalance } from "../composable-stable/invariant.ts";
import type { Direction } from "../pool-math.ts";
import { inGivenOut, outGivenIn } from "../weighted/formula.ts";
import { type BalancerV3At, pairOf } from "./state-at.ts";

/** No balance of a stable pool may be this many times another (StableMath.sol, MAX_IMBALANCE_RATIO). */
const MAX_APART = 10_000n;

/** Result of the pool's `onSwap` for a scaled amount in, after the fee. Undefined if it would revert. */
export function paidFor(current: BalancerV3At, direction: Direction, amount: bigint): bigint | undefined {
  if (current.state.kind === "weighted") {
    const out = outGivenIn(pairOf(current, direction), amount);
    return out === undefined || isShort(current, direction, out) ? undefined : out;
  }
  const { scaled } = current;
  const left = balanceWith(current, direction.sell, (scaled[direction.sell] as bigint) + amount, direction.buy);
  const out = left === undefined ? undefined : (scaled[direction.buy] as bigint) - left - 1n;
  return out === undefined || out < 0n || isApart(current, direction, amount, out) ? undefined : out;
}

/** Amount in that `onSwap` asks for a scaled amount out, before the fee. */
export function costOf(current: BalancerV3At, direction: Direction, amount: bigint): bigint | undefined {
  if (isShort(current, direction, amount)) return undefined;
  if (current.state.kind === "weighted") return inGivenOut(pairOf(current, direction), amount);
  const { scaled } = current;
  const held = balanceWith(current, direction.buy, (scaled[direction.buy] as bigint) - amount, direction.sell);
  const cost = held === undefined ? undefined : held - (scaled[direction.sell] as bigint) + 1n;
  return cost === undefined || cost < 0n || isApart(current, direction, cost, amount) ? undefined : cost;
}

/** Whether less would be left of the bought token than the pool must hold. */
function isShort({ state, scaled }: BalancerV3At, { buy }: Direction, amount: bigint): boolean {
  return (scaled[buy] as bigint) - amount < (state.minBalances[buy] as bigint);
}

/** Balance of token `other` if the pool held `balance` of token `index` at the same invariant. */
function balanceWith({ scaled, amplification, d }: BalancerV3At, index: number, balance: bigint, other: number) {
  const after = scaled.map((each, i) => (i === index ? balance : each));
  return stableBalance(after, other, d, amplification, "v3");
}

function isApart({ scaled }: BalancerV3At, { sell, buy }: Direction, amountIn: bigint, amountOut: bigint): boolean {
  const all = [...scaled, (scaled[sell] as bigint) + amountIn, (scaled[buy] as bigint) - amountOut];
  const least = all.reduce((a, b) => (a < b ? a : b));
  const most = all.reduce((a, b) => (a > b ? a : b));
  return least <= 0n || most / least >= MAX_APART;
}

/** a × b / c, rounded up. */
export function mulDivUp(a: bigint, b: bigint, c: bigint): bigint {
  return divRoundingUp(a * b, c);
}
