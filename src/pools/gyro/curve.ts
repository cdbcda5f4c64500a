import { hyperbolaCurve } from "../float/hyperbola-curve.ts";
import { pointCurve } from "../float/point-curve.ts";
import type { Direction, PoolCurve } from "../pool-math.ts";
import { centreOf } from "./ellipse.ts";
import { gradientOf } from "./spot.ts";
import { type GyroAt, type OnEllipse, offsetsOf } from "./state-at.ts";

/** The float view of one direction, its gas for either kind of quote given. */
export function gyroCurve(current: GyroAt, direction: Direction, maxSell: number, gas: readonly number[]): PoolCurve {
  const { state, factors, scaled, shape } = current;
  const [unit, unitOut] = [Number(factors[direction.sell]) / 1e18, Number(factors[direction.buy]) / 1e18];
  const keep = 1 - Number(state.swapFee) / 1e18;
  const [own = 0, toBuy = own] = gas;
  if ("offsets" in shape) {
    const offsets = offsetsOf(current, shape, direction);
    const sold = Number((scaled[direction.sell] as bigint) + offsets.sold) / unit;
    const bought = Number((scaled[direction.buy] as bigint) + offsets.bought) / unitOut;
    return { ...hyperbolaCurve({ sold, bought, keep, maxSell }, own), gasToBuy: toBuy };
  }
  const pays = ellipsePayments(current, shape, direction);
  const scale = unit * keep;
  const curve = pointCurve({
    at(sellAmount, point) {
      pays(sellAmount * scale, point);
      point[0] = (point[0] as number) / unitOut;
      point[1] = ((point[1] as number) * scale) / unitOut;
    },
    ...{ maxSell, gas: own, concave: true },
  });
  return { ...curve, gasToBuy: toBuy };
}

/**
 * Payment and marginal payment of scaled amounts. The point moves along an ellipse A x^2 + 2 B x y + C y^2 about its centre, so that
 * the payment p of an amount d solves C p^2 - 2 (g_y + B d) p + d (2 g_x + A d) = 0. There (g_x, g_y) is half the gradient, and
 * A C - B^2 is 1 / lambda^2.
 */
function ellipsePayments(current: GyroAt, shape: OnEllipse, { sell }: Direction) {
  const { ellipse, radius } = shape;
  const gradient = gradientOf(current, shape);
  const centre = centreOf(ellipse, radius);
  const lambda2 = (Number(ellipse.lambda) / 1e18) ** 2;
  const [c, s] = [Number(ellipse.c) / 1e18, Number(ellipse.s) / 1e18];
  const [along, across] = sell === 0 ? [c, s] : [s, c];
  const inner = (along * along) / lambda2 + across * across;
  const mixed = c * s * (1 - 1 / lambda2);
  const [steep, flat] = (sell === 0 ? [gradient.x, gradient.y] : [gradient.y, gradient.x]).map(
    (part) => Number(part) / 1e72 / lambda2,
  ) as [number, number];
  const off = Number((current.scaled[sell] as bigint) - (sell === 0 ? centre.x : centre.y));
  return (amount: number, point: Float64Array) => {
    const root = Math.sqrt(Math.max(0, flat * flat - (amount * (2 * off + amount)) / lambda2));
    const paid = (amount * (2 * steep + inner * amount)) / (flat + mixed * amount - root);
    point[0] = paid;
    point[1] = -(steep + inner * amount - mixed * paid) / root;
  };
}
