import type { Direction, MovingPool } from "../pool-math.ts";
import { weightedShape } from "./curve.ts";

/** Part of what a pool holds of a token that may go in at once, the fee already off (WeightedMath.sol, _MAX_IN_RATIO). */
const MAX_AT_ONCE = 0.3;

/** Terms that moving pools by weight have in common. */
interface Terms {
  readonly weights: readonly number[];
  /** Part of what goes in that is traded, and part of it that does not stay in the pool. */
  readonly keeps: number;
  readonly leaves: number;
  /** Gas of a pool use. */
  readonly gas: number;
}

/**
 * A pool by weight that trades move, in floats: out = B (1 - (I / (I + in))^r), r the ratio of the weights. What multiplies
 * the balances so that all tokens have as many decimals, or a common value, makes no difference to that.
 */
export function movingWeighted(
  { balances, weights }: { readonly balances: readonly bigint[]; readonly weights: readonly bigint[] },
  terms: Omit<Terms, "weights">,
): MovingPool {
  return movingFrom(balances.map(Number), { ...terms, weights: weights.map(Number) });
}

function movingFrom(held: number[], terms: Terms): MovingPool {
  const { weights, keeps, leaves, gas } = terms;
  const powerOf = ({ sell, buy }: Direction) => (weights[sell] as number) / (weights[buy] as number);
  const most = ({ sell }: Direction) => (MAX_AT_ONCE * (held[sell] as number)) / keeps;
  return {
    rate: (direction) =>
      (powerOf(direction) * (held[direction.buy] as number) * keeps) / (held[direction.sell] as number),
    most,
    pays(direction, sellAmount) {
      const net = Math.min(sellAmount, most(direction)) * keeps;
      const growth = Math.log1p(net / (held[direction.sell] as number));
      return -Math.expm1(-powerOf(direction) * growth) * (held[direction.buy] as number);
    },
    move({ sell, buy }, sellAmount, buyAmount) {
      held[sell]! += sellAmount * (1 - leaves);
      held[buy]! -= buyAmount;
    },
    copy: () => movingFrom([...held], terms),
    curve: (direction) => {
      const unit = (held[direction.sell] as number) / keeps;
      return weightedShape(unit, held[direction.buy] as number, powerOf(direction), most(direction), gas);
    },
  };
}
