import type { BlockRef } from "../../domain/block.ts";
import type { SwapError } from "../../domain/errors/swap-error.ts";
import type { PriceAnswer } from "../answer/types.ts";

/** State of a watched request at one block. */
export type PriceState =
  | { readonly kind: "price"; readonly answer: PriceAnswer }
  /** There is no price for now. */
  | { readonly kind: "status"; readonly refusal: SwapError };

/** One message of a watch. */
export type PriceUpdate =
  | PriceState
  /** Nothing has changed; `block` is the newest that was looked at, undefined before the first. */
  | { readonly kind: "heartbeat"; readonly block: BlockRef | undefined };

/**
 * Key by which two states count as the same: amounts, route and gas. The block is not part of it, nor is what moves
 * with the gas price alone (network fee, rates, optimality); of a refusal only its constants are, since its sentences
 * hold numbers.
 */
export function fingerprint(state: PriceState): string {
  if (state.kind === "status") {
    const { kind, reason, violations } = state.refusal;
    return [kind, reason, ...violations.map((violation) => violation.reason)].join(" ");
  }
  const { answer } = state;
  const amounts = [answer.sellAmount, answer.buyAmount, answer.grossSellAmount, answer.grossBuyAmount];
  const limits = [answer.minBuyAmount, answer.maxSellAmount, answer.value, answer.gas, answer.estimatedGas];
  const fills = answer.route.fills.map((fill) => `${fill.pool} ${fill.from} ${fill.sellAmount} ${fill.buyAmount}`);
  return [...amounts, ...limits, ...fills].join(" ");
}
