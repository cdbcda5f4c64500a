import type { Ratio } from "../../domain/ratio.ts";
import { complement, ONE } from "../../math/fixed-point.ts";
import type { Direction } from "../pool-math.ts";
import { centreOf, type Vector } from "./ellipse.ts";
import { type GyroAt, type OnEllipse, offsetsOf } from "./state-at.ts";

/** Bought per sold base unit for a trade of no size, fee included. */
export function spotOf(current: GyroAt, direction: Direction): Ratio | undefined {
  const { state, factors, scaled, shape } = current;
  const { sell, buy } = direction;
  const keep = complement(state.swapFee) * (factors[sell] as bigint);
  const den = ONE * (factors[buy] as bigint);
  if ("offsets" in shape) {
    const { sold, bought } = offsetsOf(current, shape, direction);
    return { num: ((scaled[buy] as bigint) + bought) * keep, den: ((scaled[sell] as bigint) + sold) * den };
  }
  const { x, y } = gradientOf(current, shape);
  const [steep, flat] = sell === 0 ? [x, y] : [y, x];
  return steep >= 0n || flat >= 0n ? undefined : { num: -steep * keep, den: -flat * den };
}

/**
 * Half the gradient, at the pool's balances, of the square of the distance from the ellipse's centre, on the circle; times
 * 10^36 lambda^2. Below zero both ways on the part of the ellipse that a pool is on.
 */
export function gradientOf({ scaled }: GyroAt, { ellipse, radius }: OnEllipse): Vector {
  const { c, s, lambda } = ellipse;
  const centre = centreOf(ellipse, radius);
  const [x, y] = [(scaled[0] as bigint) - centre.x, (scaled[1] as bigint) - centre.y];
  const [across, along] = [(c * x - s * y) * ONE * ONE, (s * x + c * y) * lambda * lambda];
  return { x: c * across + s * along, y: c * along - s * across };
}
