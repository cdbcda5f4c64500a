import type { Curve } from "../curve/curve.ts";
import { NEW_SLOT, withFirstUse } from "../curve/curve-gas.ts";
import { dodoFields } from "./fields.ts";
import { impossibleDodo } from "./impossible.ts";
import { dodoMath } from "./math.ts";
import type { DodoState } from "./state.ts";

/** Pools of DODO V2: vending machines, private pools and stable pools. */
export const dodo = {
  math: dodoMath,
  // The first payment to a maintainer in a token fills its balance.
  gas: { most: withFirstUse((tokens) => tokens * NEW_SLOT) },
  timeless: true,
  fields: dodoFields,
  impossible: impossibleDodo,
} satisfies Curve<DodoState>;
