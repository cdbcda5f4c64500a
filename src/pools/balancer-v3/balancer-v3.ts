import type { Curve } from "../curve/curve.ts";
import { NEW_SLOT, percent, withFirstUse } from "../curve/curve-gas.ts";
import { balancerV3Fields } from "./fields.ts";
import { impossibleBalancerV3 } from "./impossible.ts";
import { balancerV3Math } from "./math.ts";
import type { BalancerV3State } from "./state.ts";

/** Balancer V3's weighted and stable pools. */
export const balancerV3 = {
  math: balancerV3Math,
  gas: {
    savedAgain: percent(47n),
    // The protocol's fees: of the swap, and of each token's growth in value.
    most: withFirstUse((tokens) => (1n + tokens) * NEW_SLOT),
  },
  payment: () => "lock",
  fields: balancerV3Fields,
  impossible: impossibleBalancerV3,
  isPaused: ({ paused }) => paused,
} satisfies Curve<BalancerV3State>;
