import { divRoundingUp, smaller } from "../../math/full-math.ts";
import type { KuruSide, KuruState, KuruVaultOrder } from "./state.ts";
import { BPS, type KuruStep, leftOf, mostBrought, type VaultStep, WAD } from "./steps.ts";

/** Result of a taker's market order. */
export interface KuruOutcome {
  /** Base units that the taker gets, the fee taken off. */
  readonly amount: bigint;
  /** Levels and orders of the vault that it traded with. */
  readonly levels: number;
  readonly orders: number;
  readonly next: KuruState;
}

/** Remains of a side after a trade: levels met, how much there is of the last of these, and the vault's order. */
interface Remains {
  readonly levels: number;
  readonly ofLast: bigint;
  readonly vault: KuruVaultOrder | undefined;
}

/**
 * A market order that sells `size` of the base token (OrderBook.sol: _matchAggressiveSell). `size` is no more than `mostSold`.
 */
export function sellBase(state: KuruState, steps: readonly KuruStep[], size: bigint): KuruOutcome {
  const [sizes, prices] = state.precisions;
  let [left, ofBook, ofVault, levels, orders, ofLast] = [size, 0n, 0n, 0, 0, 0n];
  let { vault } = state.bidSide;
  for (const step of steps) {
    if (left === 0n) break;
    if ("level" in step) {
      const taken = smaller(left, step.level.size);
      ofBook += (taken * step.level.price) / sizes;
      left -= taken;
      levels++;
      ofLast = step.level.size - taken;
      continue;
    }
    vault = step.after;
    for (const order of step.orders) {
      if (left === 0n) {
        vault = order;
        break;
      }
      const taken = smaller(left, leftOf(order));
      ofVault += (order.price * taken) / sizes;
      left -= taken;
      orders++;
      if (taken < leftOf(order)) {
        vault = { ...order, filled: order.filled + taken };
        break;
      }
    }
  }
  const credit = (ofBook * state.units[1]) / prices + (ofVault * state.units[1]) / WAD;
  const bidSide = sideAfter(state.bidSide, { levels, ofLast, vault });
  const next = { ...state, bidSide, askSide: NOTHING_KNOWN };
  return { amount: withoutFee(credit, state), levels, orders, next };
}

/**
 * A market order that brings `quote` of the quote token (OrderBook.sol: _marketBuyMatch). `quote` is no more than `mostBought`.
 * What pays for no further part of the base token is lost at each level.
 */
export function buyBase(state: KuruState, steps: readonly KuruStep[], quote: bigint): KuruOutcome {
  const [sizes, prices] = state.precisions;
  let [left, size, levels, orders, ofLast] = [quote, 0n, 0, 0, 0n];
  let { vault } = state.askSide;
  for (const step of steps) {
    if (left === 0n) break;
    if ("level" in step) {
      const { price, size: offered } = step.level;
      const payable = (left * sizes) / price;
      // Orders stay where they are that nothing is bought from, empty ones too.
      if (payable === 0n) break;
      const taken = smaller(payable, offered);
      left = (price * (payable - taken)) / sizes;
      size += taken;
      levels++;
      ofLast = offered - taken;
      continue;
    }
    let brought = (left * WAD) / prices;
    vault = step.after;
    for (const order of step.orders) {
      if (brought === 0n) {
        vault = order;
        break;
      }
      const cost = costOf(order, sizes);
      orders++;
      if (cost > brought) {
        const taken = (brought * sizes) / order.price;
        [brought, size] = [0n, size + taken];
        vault = { ...order, filled: order.filled + taken };
        break;
      }
      [brought, size] = [brought - cost, size + leftOf(order)];
    }
    left = (brought * prices) / WAD;
  }
  const askSide = sideAfter(state.askSide, { levels, ofLast, vault });
  const next = { ...state, bidSide: NOTHING_KNOWN, askSide };
  return { amount: withoutFee((size * state.units[0]) / sizes, state), levels, orders, next };
}

/** The most of the base token that the known orders take, in parts of the size precision. */
export function mostSold(steps: readonly KuruStep[]): bigint {
  return steps.reduce(
    (sum, step) =>
      sum + ("level" in step ? step.level.size : step.orders.reduce((all, each) => all + leftOf(each), 0n)),
    0n,
  );
}

/**
 * The most of the quote token of which the known orders leave nothing, in parts of the price precision. What a step leaves is
 * rounded down, so that it may be brought too.
 */
export function mostBought({ precisions }: KuruState, steps: readonly KuruStep[]): bigint {
  const [sizes, prices] = precisions;
  let most = 0n;
  for (const [index, step] of [...steps.entries()].reverse()) {
    if ("level" in step) {
      const { price, size } = step.level;
      const beyond = ((most + 1n) * sizes - 1n) / price;
      most = ((size + beyond + 1n) * price - 1n) / sizes;
    } else {
      // Behind the last order that is known the vault has more.
      const beyond = index === steps.length - 1 ? 0n : ((most + 1n) * WAD - 1n) / prices;
      most = ((costOfAll(step, sizes) + beyond) * prices) / WAD;
    }
  }
  return smaller(most, mostBrought(precisions));
}

/** Cost of the rest of a vault's order, in parts of 10^18 of the quote token. */
function costOf(order: KuruVaultOrder, sizes: bigint): bigint {
  return divRoundingUp(order.price * leftOf(order), sizes);
}

function costOfAll({ orders }: VaultStep, sizes: bigint): bigint {
  return orders.reduce((sum, order) => sum + costOf(order, sizes), 0n);
}

/** Once one side was traded with, the other may have orders that were filled and are turned round. */
const NOTHING_KNOWN: KuruSide = { levels: [] };

function sideAfter({ levels: before, more }: KuruSide, { levels, ofLast, vault }: Remains): KuruSide {
  const behind = before.slice(levels);
  const last = before[levels - 1];
  return {
    levels: last !== undefined && ofLast > 0n ? [{ ...last, size: ofLast }, ...behind] : behind,
    ...(more && { more }),
    ...(vault !== undefined && vault.size > 0n && { vault }),
  };
}

function withoutFee(credit: bigint, { takerFee }: KuruState): bigint {
  return credit - divRoundingUp(credit * BigInt(takerFee), BPS);
}
