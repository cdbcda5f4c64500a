import type { Address } from "../../../src/domain/address.ts";
import type { SwapOrder } from "../../../src/domain/order.ts";

/** The two of `size` tokens that pool number `i` lies between: the first pools lead to each of them, the others favour the first. */
export function seededPair(random: () => number, size: number, i: number): readonly [first: number, second: number] {
  const isFirst = i < size - 1;
  const first = isFirst ? Math.floor(random() * (i + 1)) : Math.floor(random() ** 2 * size);
  const other = isFirst ? i + 1 : Math.floor(random() * size);
  return [first, other === first ? (first + 1) % size : other];
}

/** An order of an amount from the first of some tokens to the last one. */
export function orderAcross(tokens: readonly Address[], kind: SwapOrder["kind"], amount: bigint): SwapOrder {
  const [sellToken, buyToken] = [tokens[0] as Address, tokens[tokens.length - 1] as Address];
  return kind === "exactIn"
    ? { kind, sellToken, buyToken, sellAmount: amount }
    : { kind, sellToken, buyToken, buyAmount: amount };
}
