import type { Curve } from "../curve/curve.ts";
import { withFirstUse } from "../curve/curve-gas.ts";
import { constantProductFields } from "./fields.ts";
import { impossibleConstantProduct } from "./impossible.ts";
import { constantProductMath } from "./math.ts";
import type { ConstantProductState } from "./state.ts";

/** Uniswap V2's pairs and their forks. */
export const constantProduct = {
  math: constantProductMath,
  // The first use writes two sums of prices, and what comes back for the lock comes in the end only.
  gas: { savedAgain: () => 35_000n, most: withFirstUse(() => 40_000n) },
  timeless: true,
  payment: () => "first",
  fields: constantProductFields,
  impossible: impossibleConstantProduct,
} satisfies Curve<ConstantProductState>;
