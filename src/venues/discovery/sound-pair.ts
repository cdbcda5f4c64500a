import type { PoolRef } from "../../market/liquidity-source.ts";

/**
 * Whether a reference has the form of a factory's pair: two tokens in the order of their addresses, the contract for an id, and
 * terms of these names alone. A factory answers for its tokens in either order: with the other one the price would be upside down.
 */
export function isSoundPair({ id, address, tokens, terms }: PoolRef, names: readonly string[] = []): boolean {
  const [first, second] = tokens;
  const isInOrder = tokens.length === 2 && first !== undefined && second !== undefined && first < second;
  const told = Object.keys(terms);
  return id === address && isInOrder && told.length === names.length && names.every((name) => told.includes(name));
}
