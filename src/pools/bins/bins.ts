import type { Curve } from "../curve/curve.ts";
import { binsFields } from "./fields.ts";
import { mostBinsGas } from "./gas.ts";
import { impossibleBins } from "./impossible.ts";
import { binsMath } from "./math.ts";
import type { BinsState } from "./state.ts";

/** Bins of liquidity, each at one price: Liquidity Book. */
export const bins = {
  math: binsMath,
  gas: {
    savedAgain: () => 42_000n,
    most: ({ gas }, { hooked }) => mostBinsGas(gas, hooked),
  },
  fields: binsFields,
  impossible: impossibleBins,
} satisfies Curve<BinsState>;
