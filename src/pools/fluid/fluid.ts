import type { Curve } from "../curve/curve.ts";
import { NEW_SLOT, withFirstUse } from "../curve/curve-gas.ts";
import { fluidFields } from "./fields.ts";
import { RATES_WRITTEN } from "./gas.ts";
import { impossibleFluid } from "./impossible.ts";
import { fluidMath } from "./math.ts";
import type { FluidState } from "./state.ts";
import { mostBeyond } from "./swap.ts";

/** Pools of Fluid's DEX T1: smart collateral and smart debt. */
export const fluid = {
  math: fluidMath,
  gas: { most: withFirstUse((tokens) => RATES_WRITTEN + tokens * NEW_SLOT) },
  fields: fluidFields,
  impossible: impossibleFluid,
  timeless: true,
  mostBeyond: (state, token) => mostBeyond(state, token === 0 ? 0 : 1),
} satisfies Curve<FluidState>;
