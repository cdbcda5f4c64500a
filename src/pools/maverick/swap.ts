import { type PricedTick, priced } from "./price.ts";
import type { MaverickState, MaverickTick } from "./state.ts";
import { MAX_COST, type SwapTerms, type TickTrade } from "./step.ts";

/** Result of a swap. Amounts of 18 decimals. */
export interface SwapOutcome {
  readonly amountIn: bigint;
  readonly amountOut: bigint;
  /** Whether all of what was asked for was traded. */
  readonly filled: boolean;
  /** Ticks that it came to: those with reserves, and those without. */
  readonly ticks: number;
  readonly emptyTicks: number;
  readonly next: MaverickState;
}

/** A swap's trade in one tick for an amount that goes in or comes out. */
type Trade = (tick: PricedTick, amount: bigint, terms: SwapTerms) => TickTrade | undefined;

export function termsOf({ fees, protocolPart }: MaverickState, sellsA: boolean): SwapTerms {
  return { sellsA, fee: fees[sellsA ? 0 : 1], protocolPart: BigInt(protocolPart) };
}

/** The ticks with reserves that a swap comes to, in its order. */
export function ticksAhead({ ticks, activeTick, spent }: MaverickState, sellsA: boolean): readonly MaverickTick[] {
  if (spent) return [];
  return sellsA
    ? ticks.filter(({ index }) => index >= activeTick)
    : ticks.filter(({ index }) => index <= activeTick).toReversed();
}

/** A swap of `amount`, which goes in where `counted` is "amountIn" and comes out where it is "amountOut". */
export function swap(
  state: MaverickState,
  sellsA: boolean,
  amount: bigint,
  { trade, counted }: { readonly trade: Trade; readonly counted: "amountIn" | "amountOut" },
): SwapOutcome {
  const terms = termsOf(state, sellsA);
  let [left, amountIn, amountOut] = [amount, 0n, 0n];
  let { activeTick } = state;
  const changed = new Map<number, MaverickTick>();
  for (const tick of ticksAhead(state, sellsA)) {
    if (left === 0n) break;
    const met = priced(state.tickSpacing, tick);
    const traded = met && trade(met, left, terms);
    if (traded === undefined || amountIn + traded.amountIn > MAX_COST) break;
    left -= traded[counted];
    amountIn += traded.amountIn;
    amountOut += traded.amountOut;
    activeTick = tick.index;
    changed.set(tick.index, after(tick, traded, sellsA));
  }
  const emptyTicks = Math.abs(activeTick - state.activeTick) + 1 - changed.size;
  const ticks = state.ticks.map((tick) => changed.get(tick.index) ?? tick);
  const next = { ...state, activeTick, ticks, ...(state.movable && { spent: true as const }) };
  return { amountIn, amountOut, filled: left === 0n, ticks: changed.size, emptyTicks: Math.max(0, emptyTicks), next };
}

function after({ index, reserveA, reserveB }: MaverickTick, { stays, amountOut, isLeft }: TickTrade, sellsA: boolean) {
  const kept = (held: bigint) => (isLeft ? 0n : held - amountOut);
  return sellsA
    ? { index, reserveA: reserveA + stays, reserveB: kept(reserveB) }
    : { index, reserveA: kept(reserveA), reserveB: reserveB + stays };
}
