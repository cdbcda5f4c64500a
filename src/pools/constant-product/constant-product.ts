import type { Curve } from "../curve/curve.ts";
import { withFirstUse } from "../curve/curve-gas.ts";
import { constantProductFields } from "./fields.ts";
import { impossibleConstantProduct } from "./impossible.ts";
import { constantProductMath } from "./math.ts";
import { type ConstantProductState, isTaxedState } from "./state.ts";

const MOST = withFirstUse(() => 40_000n);
/** The balance that a tax goes to may be written for the first time. */
const MAX_TAXED = withFirstUse(() => 60_000n);

/** Uniswap V2's pairs and their forks. */
export const constantProduct = {
  math: constantProductMath,
  // The first use writes two sums of prices, and what comes back for the lock comes in the end only.
  gas: { savedAgain: () => 35_000n, most: (use, state) => (isTaxedState(state) ? MAX_TAXED : MOST)(use) },
  timeless: true,
  payment: () => "first",
  fields: constantProductFields,
  impossible: impossibleConstantProduct,
  taxes: ({ taxes }) => taxes,
  withTaxes: ({ reserves, feeNum, feeDen }, taxes) => ({ reserves, feeNum, feeDen, ...(taxes && { taxes }) }),
} satisfies Curve<ConstantProductState>;
