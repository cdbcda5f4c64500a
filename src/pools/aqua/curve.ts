import { hyperbolaCurve } from "../float/hyperbola-curve.ts";
import { pointCurve } from "../float/point-curve.ts";
import type { PoolCurve } from "../pool-math.ts";
import type { PeggedSide } from "./pegged.ts";
import { FEE_ONE, type ProgramFee } from "./program.ts";
import type { AquaSide } from "./side.ts";

/** Smaller square roots of what is left of a token count as this one: the rate ends at nothing with them. */
const LEAST_ROOT = 1e-9;

/** The float view of a direction, up to `maxSell` base units sold. */
export function aquaCurve(
  side: AquaSide,
  { fees, maxSell, gas }: { readonly fees: readonly ProgramFee[]; readonly maxSell: number; readonly gas: number },
): PoolCurve {
  const keep = fees.reduce((part, { rate }) => part * (1 - Number(rate) / Number(FEE_ONE)), 1);
  if (side.kind === "pegged") return peggedCurve(side.pegged, { keep, maxSell, gas });
  const { sold, bought } = side.reserves;
  return hyperbolaCurve({ sold: Number(sold), bought: Number(bought), keep, maxSell }, gas);
}

/**
 * The curve for pegged tokens in floats. With w = sqrt(v), what is bought follows from differences alone, which lose no digits
 * in small trades: (w0 - w1) (1 + a (w0 + w1)) is by how much sqrt(u) + a u grows.
 */
function peggedCurve(
  side: PeggedSide,
  { keep, maxSell, gas }: { readonly keep: number; readonly maxSell: number; readonly gas: number },
): PoolCurve {
  const a = Number(side.width) / 1e27;
  const u0 = Number(side.sold) / Number(side.soldReference);
  const v0 = Number(side.bought) / Number(side.boughtReference);
  const perSold = (keep * Number(side.soldRate)) / Number(side.soldReference);
  const perBought = Number(side.boughtReference) / Number(side.boughtRate);
  const [rootU0, w0] = [Math.sqrt(u0), Math.sqrt(v0)];
  return pointCurve({
    at(sellAmount, point) {
      const more = perSold * sellAmount;
      const rootU = Math.sqrt(u0 + more);
      const grown = more === 0 ? 0 : more * (1 / (rootU + rootU0) + a);
      const rest = Math.max(0, w0 + a * v0 - grown);
      const w = (2 * rest) / (1 + Math.sqrt(1 + 4 * a * rest));
      point[0] = (perBought * (w0 + w) * grown) / (1 + a * (w0 + w));
      point[1] = (perSold * perBought * (1 / (2 * rootU) + a)) / (1 / (2 * Math.max(w, LEAST_ROOT)) + a);
    },
    ...{ maxSell, gas, concave: true },
  });
}
