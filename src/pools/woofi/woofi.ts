import type { Curve } from "../curve/curve.ts";
import { NEW_SLOT, withFirstUse } from "../curve/curve-gas.ts";
import { unless } from "../curve/faults.ts";
import { wooFields } from "./fields.ts";
import { impossibleWoo } from "./impossible.ts";
import { wooMath } from "./math.ts";
import type { WooState } from "./state.ts";

/** WOOFi's pools: several tokens at an oracle's prices. */
export const woofi = {
  math: wooMath,
  // The first use after the fee was claimed writes the fee that nobody has claimed yet.
  gas: { most: withFirstUse((tokens) => tokens * NEW_SLOT) },
  fields: wooFields,
  impossible: impossibleWoo,
  tokensFault: ({ reserves: { length } }, tokens) =>
    unless(tokens === length, `${tokens} tokens where the state has ${length}`),
} satisfies Curve<WooState>;
