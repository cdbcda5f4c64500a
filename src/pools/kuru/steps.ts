import { divRoundingUp } from "../../math/full-math.ts";
import type { KuruLevel, KuruSide, KuruSideName, KuruState, KuruVaultOrder } from "./state.ts";

/** Prices of the vault's orders are in parts of so many. */
export const WAD = 10n ** 18n;
/** Parts that fees and spreads are counted in. */
export const BPS = 10_000n;
/** Sizes and amounts of the quote token have 96 bits at a market. */
export const MOST_96 = (1n << 96n) - 1n;
/** Orders of the vault that one trade meets at the most: each takes gas, and a vault has no last one. */
const MOST_RUNGS = 64;

/** A run of the vault's orders between two levels, in the order of its trades. */
export interface VaultStep {
  readonly orders: readonly KuruVaultOrder[];
  /** The vault's order once all of these are traded. */
  readonly after: KuruVaultOrder;
}

/** Level or orders of the vault that a trade meets before anything else: it goes on only when all of that is traded. */
export type KuruStep = { readonly level: KuruLevel } | VaultStep;

/** Steps of a trade on one side, in their order, as far as they are known and the contract can count them. */
export function stepsOf(state: KuruState, side: KuruSideName): readonly KuruStep[] {
  const { levels, more, vault }: KuruSide = state[side];
  const isBetter = (one: bigint, other: bigint) => (side === "askSide" ? one < other : one > other);
  const room = new Room(state, side);
  const steps: KuruStep[] = [];
  let order = vault;
  let rungs = 0;
  for (let index = 0; ; index++) {
    const level = levels[index];
    if (level === undefined && more) return steps;
    const edge = level && (level.price * WAD) / state.precisions[1];
    if (order !== undefined && order.size > 0n && (edge === undefined || isBetter(order.price, edge))) {
      const orders: KuruVaultOrder[] = [];
      let isWhole = true;
      while (edge === undefined || isBetter(order.price, edge)) {
        const next: KuruVaultOrder | undefined = orderBehind(order, side, BigInt(state.spread));
        isWhole = next !== undefined && rungs++ < MOST_RUNGS && room.takes(leftOf(order), order.price, WAD);
        if (next === undefined || !isWhole) break;
        orders.push(order);
        order = next;
      }
      if (orders.length > 0) steps.push({ orders, after: order });
      if (!isWhole) return steps;
    }
    if (level === undefined || !room.takes(level.size, level.price, state.precisions[1])) return steps;
    steps.push({ level });
  }
}

/** Size of a vault's order that is left to be traded. */
export function leftOf({ size, filled }: KuruVaultOrder): bigint {
  return size - filled;
}

/**
 * The vault's order behind one (AbstractAMM.sol: _fillVaultBuyMatch, _fillVaultForSell); undefined where the contract cannot
 * come to it: an order that is filled beyond its size, one of too many bits, and a price that no spread moves.
 */
function orderBehind(
  { price, size, filled }: KuruVaultOrder,
  side: KuruSideName,
  spread: bigint,
): KuruVaultOrder | undefined {
  const [whole, wider, twice] = [BPS, BPS + spread, 2n * BPS];
  const next =
    side === "askSide"
      ? { price: (price * wider + whole / 2n) / whole, size: (size * twice) / (twice + spread) }
      : { price: (price * whole + wider / 2n) / wider, size: (size * (twice + spread)) / twice };
  return filled > size || next.price === price || next.size > MOST_96 ? undefined : { ...next, filled: 0n };
}

/** Counts sizes and what they cost, which the contract has 96 bits for; what a buyer brings is multiplied by the size precision. */
class Room {
  #size = 0n;
  #quote = 0n;
  readonly #precisions: readonly [bigint, bigint];
  readonly #mostQuote: bigint;

  constructor({ precisions }: KuruState, side: KuruSideName) {
    this.#precisions = precisions;
    this.#mostQuote = side === "askSide" ? mostBrought(precisions) : MOST_96;
  }

  /** Whether so much more can be traded at a price in parts of `parts`. */
  takes(size: bigint, price: bigint, parts: bigint): boolean {
    const [sizes, prices] = this.#precisions;
    this.#size += size;
    this.#quote += divRoundingUp(size * price * prices, sizes * parts);
    return this.#size <= MOST_96 && this.#quote <= this.#mostQuote;
  }
}

/** The most that a buyer can bring, in parts of the price precision. */
export function mostBrought([sizes]: KuruState["precisions"]): bigint {
  return MOST_96 / sizes;
}
