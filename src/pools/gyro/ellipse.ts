import { rootOf } from "./root.ts";
import { divDown, divUp, divXp, mulDown, mulUp, mulXp, ONE_XP, timesDown, timesUp } from "./signed.ts";

/** A point or vector: token 0, token 1. */
export interface Vector {
  readonly x: bigint;
  readonly y: bigint;
}

/**
 * The ellipse that an E-CLP moves on: the circle of radius r, stretched by `lambda` and turned by the angle of which `c` and `s`
 * are cosine and sine (18 decimals). The rest follows from these with 38 decimals: `tauAlpha` and `tauBeta` are the points of
 * the unit circle where the price is lowest and highest, u, v, w, z parts of the invariant, and `dSq` is c^2 + s^2.
 */
export interface Ellipse {
  readonly c: bigint;
  readonly s: bigint;
  readonly lambda: bigint;
  readonly tauAlpha: Vector;
  readonly tauBeta: Vector;
  readonly u: bigint;
  readonly v: bigint;
  readonly w: bigint;
  readonly z: bigint;
  readonly dSq: bigint;
}

/** Parameters of an E-CLP's state. */
export const ELLIPSE_PARAMETERS = 12;

/** The ellipse of c, s, lambda, tau(alpha) x and y, tau(beta) x and y, u, v, w, z, dSq, in this order. */
export function ellipseOf(parameters: readonly bigint[]): Ellipse {
  const at = (index: number) => parameters[index] as bigint;
  return {
    ...{ c: at(0), s: at(1), lambda: at(2), tauAlpha: { x: at(3), y: at(4) }, tauBeta: { x: at(5), y: at(6) } },
    ...{ u: at(7), v: at(8), w: at(9), z: at(10), dSq: at(11) },
  };
}

/** Radius of an ellipse, 18 decimals: the contract works with one that is too large and one that is too small. */
export interface Radius {
  readonly over: bigint;
  readonly under: bigint;
}

/** Balances at the ellipse's centre, rounded up (virtualOffset0 and virtualOffset1). */
export function centreOf({ c, s, lambda, tauAlpha, tauBeta, dSq }: Ellipse, { over, under }: Radius): Vector {
  const beta = divXp(tauBeta.x, dSq);
  const alpha = divXp(tauAlpha.x, dSq);
  const x =
    tauBeta.x > 0n ? timesUp(mulUp(mulUp(over, lambda), c), beta) : timesUp(mulDown(mulDown(under, lambda), c), beta);
  const y =
    tauAlpha.x < 0n
      ? timesUp(mulUp(mulUp(over, lambda), s), -alpha)
      : timesUp(mulDown(mulDown(-under, lambda), s), alpha);
  return {
    x: x + timesUp(mulUp(over, s), divXp(tauBeta.y, dSq)),
    y: y + timesUp(mulUp(over, c), divXp(tauAlpha.y, dSq)),
  };
}

/** The largest balance of a token, at which nothing is left of the other, rounded down (maxBalances0 and maxBalances1). */
export function mostHeld({ c, s, lambda, tauAlpha, tauBeta, dSq }: Ellipse, r: Radius, token: number): bigint {
  const wide = divXp(tauBeta.x - tauAlpha.x, dSq);
  const [along, across, high] =
    token === 0 ? [c, s, divXp(tauBeta.y - tauAlpha.y, dSq)] : [s, c, divXp(tauAlpha.y - tauBeta.y, dSq)];
  const most = timesDown(mulDown(mulDown(r.under, lambda), along), wide);
  return most + timesDown(high > 0n ? mulDown(r.under, across) : mulUp(r.over, across), high);
}

/** Parts of the curve's equation as seen from the token whose balance is given. */
interface Side {
  /** Centre along the given balance and along the other one. */
  readonly centre: Vector;
  readonly s: bigint;
  readonly c: bigint;
  readonly tau: Vector;
}

/**
 * The balance of the other token if that of `token` is `balance`, rounded up (calcYGivenX, calcXGivenY, solveQuadraticSwap).
 * Undefined where the contract would revert.
 */
export function otherBalance(ellipse: Ellipse, r: Radius, token: number, balance: bigint): bigint | undefined {
  const { c, s, lambda, tauAlpha, tauBeta, dSq } = ellipse;
  const { x, y } = centreOf(ellipse, r);
  const side: Side =
    token === 0
      ? { centre: { x, y }, s, c, tau: tauBeta }
      : { centre: { x: y, y: x }, s: c, c: s, tau: { x: -tauAlpha.x, y: tauAlpha.y } };
  const flatter = ONE_XP - divDown(divDown(ONE_XP, lambda), lambda);
  const flat = ONE_XP - divUp(divUp(ONE_XP, lambda), lambda);
  const off = balance - side.centre.x;
  const middle =
    off > 0n
      ? timesUp(mulDown(mulDown(-off, side.s), side.c), divXp(flat, dSq))
      : timesUp(mulUp(mulUp(-off, side.s), side.c), divXp(flatter, dSq) + 1n);
  const above = ONE_XP - divXp(mulDown(mulDown(flat, side.s), side.s), dSq);
  const below = ONE_XP - (divXp(mulUp(mulUp(flatter, side.s), side.s), dSq + 1n) + 1n);
  if (above === 0n || below === 0n) return undefined;
  const under = timesDown(mulDown(r.under, r.under), below) - offSquared(ellipse, r, side, balance);
  const root = under > 0n ? rootOf(under) : 0n;
  if (root === undefined) return undefined;
  const apart = middle - root;
  const part = apart > 0n ? timesUp(apart, divXp(ONE_XP, below) + 1n) : timesUp(apart, divXp(ONE_XP, above));
  return part + side.centre.y;
}

/** The square of what `balance` is away from the centre over lambda^2, rounded up (calcXpXpDivLambdaLambda). */
function offSquared({ lambda, dSq }: Ellipse, { over, under }: Radius, { s, c, tau }: Side, balance: bigint): bigint {
  const dSq2 = mulXp(dSq, dSq);
  const square = mulUp(over, over);
  const both = divXp(mulXp(tau.x, tau.y), dSq2);
  let linear =
    both > 0n
      ? timesUp(mulUp(mulUp(square, 2n * s), c), both + 7n)
      : timesUp(mulDown(mulDown(mulDown(under, under), 2n * s), c), both);
  linear +=
    tau.x < 0n
      ? timesUp(mulUp(mulUp(over, balance), 2n * c), -divXp(tau.x, dSq) + 3n)
      : timesUp(mulDown(mulDown(-under, balance), 2n * c), divXp(tau.x, dSq));
  const squares =
    timesUp(mulUp(mulUp(square, s), s), divXp(mulXp(tau.y, tau.y), dSq2) + 7n) +
    timesUp(mulDown(mulDown(-under, balance), 2n * s), divXp(tau.y, dSq)) +
    mulUp(balance, balance);
  const sum = linear + overLambda(squares, lambda);
  const rest = timesUp(mulUp(mulUp(square, c), c), divXp(mulXp(tau.x, tau.x), dSq2) + 7n);
  return rest + overLambda(sum, lambda);
}

/** A quotient rounded up. */
function overLambda(value: bigint, lambda: bigint): bigint {
  return value > 0n ? divUp(value, lambda) : divDown(value, lambda);
}
