import type { Curve } from "../curve/curve.ts";
import { NEW_SLOT, withFirstUse } from "../curve/curve-gas.ts";
import { balancerV3BufferFields } from "./fields.ts";
import { impossibleBalancerV3Buffer } from "./impossible.ts";
import { balancerV3BufferMath } from "./math.ts";
import type { BalancerV3BufferState } from "./state.ts";

/** Balancer V3's buffers of ERC-4626 vaults. */
export const balancerV3Buffer = {
  math: balancerV3BufferMath,
  gas: { savedAgain: () => 33_000n, givenBack: [25_500n, 5_600n], most: withFirstUse(() => NEW_SLOT) },
  payment: () => "lock",
  sharesTotals: true,
  fields: balancerV3BufferFields,
  impossible: impossibleBalancerV3Buffer,
  isPaused: ({ paused }) => paused,
} satisfies Curve<BalancerV3BufferState>;
