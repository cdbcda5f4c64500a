import type { Curve } from "../curve/curve.ts";
import { binsFields } from "./fields.ts";
import { mostBinsGas, savedAgainBinsGas } from "./gas.ts";
import { impossibleBins } from "./impossible.ts";
import { binsMath } from "./math.ts";
import type { BinsState } from "./state.ts";

/** Bins of liquidity, each at one price: Liquidity Book, PancakeSwap Infinity. */
export const bins = {
  math: binsMath,
  // The pools of a singleton have a key.
  payment: ({ key }) => (key === undefined ? undefined : "lock"),
  gas: {
    savedAgain: (_, state) => savedAgainBinsGas(state),
    most: ({ gas }, state) => mostBinsGas(gas, state),
  },
  fields: binsFields,
  impossible: impossibleBins,
} satisfies Curve<BinsState>;
