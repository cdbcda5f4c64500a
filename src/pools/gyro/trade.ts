import { divDown, divUp, mulDown, mulUp, ONE } from "../../math/fixed-point.ts";
import type { Direction } from "../pool-math.ts";
import { mostHeld, otherBalance } from "./ellipse.ts";
import { MAX_BALANCES } from "./radius.ts";
import { type GyroAt, MAX_HELD, type Offsets, type OnEllipse, offsetsOf, type Reserves } from "./state-at.ts";

/** Parts of an ellipse's largest balance that a sale leaves free: an exact output may ask for a little more than the sale. */
const EDGE = 10n ** 9n;

/** Payment for a scaled amount, the fee already off; undefined where the contract would revert. */
export function paidFor(current: GyroAt, direction: Direction, amount: bigint): bigint | undefined {
  const { shape, scaled } = current;
  const [held, other] = [scaled[direction.sell] as bigint, scaled[direction.buy] as bigint];
  if ("offsets" in shape) {
    const { sold, bought } = reservesOf(current, shape, direction);
    const paid = divDown(mulDown(bought, amount), sold + amount);
    return paid > other ? undefined : paid;
  }
  const { ellipse, radius } = shape;
  if (isBeyond(shape, direction.sell, held + amount)) return undefined;
  const left = otherBalance(ellipse, radius, direction.sell, held + amount);
  return left === undefined || left < 0n || left > other ? undefined : other - left;
}

/** Cost of a scaled amount, before the fee; undefined where the contract would revert. */
export function costOf(current: GyroAt, direction: Direction, amount: bigint): bigint | undefined {
  const { shape, scaled } = current;
  const [held, other] = [scaled[direction.sell] as bigint, scaled[direction.buy] as bigint];
  if (amount > other) return undefined;
  if ("offsets" in shape) {
    const { sold, bought } = reservesOf(current, shape, direction);
    return bought <= amount ? undefined : divUp(mulUp(sold, amount), bought - amount);
  }
  const { ellipse, radius } = shape;
  const after = otherBalance(ellipse, radius, direction.buy, other - amount);
  if (after === undefined || after < held || isBeyond(shape, direction.sell, after)) return undefined;
  return after - held;
}

/** The largest scaled amount that is taken at once, the fee already off; nothing or less where none is. */
export function mostTaken(current: GyroAt, direction: Direction): bigint {
  const { shape, scaled } = current;
  const [held, other] = [scaled[direction.sell] as bigint, scaled[direction.buy] as bigint];
  if ("offsets" in shape) {
    const { sold, bought } = reservesOf(current, shape, direction);
    const room = MAX_HELD - held;
    const all = bought > other ? (other * sold) / (bought - other) : room;
    return all < room ? all : room;
  }
  const { ellipse, radius } = shape;
  const most = mostHeld(ellipse, radius, direction.sell);
  const inside = most - most / EDGE - (ellipse.lambda * (radius.over - radius.under)) / ONE;
  return (inside < MAX_HELD ? inside : MAX_HELD) - held;
}

/**
 * The virtual reserves, with the contract's margin for errors of the invariant (_calcOutGivenIn and _calcInGivenOut of both
 * product pools).
 */
function reservesOf(current: GyroAt, shape: Offsets, direction: Direction): Reserves {
  const { sold, bought } = offsetsOf(current, shape, direction);
  return {
    sold: (current.scaled[direction.sell] as bigint) + mulUp(sold, ONE + 2n),
    bought: (current.scaled[direction.buy] as bigint) + mulDown(bought, ONE - 1n),
  };
}

function isBeyond({ ellipse, radius }: OnEllipse, token: number, balance: bigint): boolean {
  return balance > MAX_BALANCES || balance > mostHeld(ellipse, radius, token);
}
