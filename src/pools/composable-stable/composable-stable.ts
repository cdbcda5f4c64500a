import type { Curve } from "../curve/curve.ts";
import { NEW_SLOT, percent, withFirstUse } from "../curve/curve-gas.ts";
import { unless } from "../curve/faults.ts";
import { composableStableFields } from "./fields.ts";
import { impossibleComposableStable } from "./impossible.ts";
import { composableStableMath } from "./math.ts";
import type { ComposableStableState } from "./state.ts";

/** Balancer V2's pools of tokens of like value, their own share among them. */
export const composableStable = {
  math: composableStableMath,
  gas: {
    savedAgain: percent(43n),
    givenBack: 39_800n,
    // Each token's rate may be asked for again.
    most: withFirstUse((tokens) => NEW_SLOT + 15_000n * tokens),
  },
  tokensFault({ balances: { length }, share }, tokens) {
    if (tokens !== length) return `${tokens} tokens where the state has ${length}`;
    return unless(share <= tokens, `share: no token ${share}`);
  },
  fields: composableStableFields,
  impossible: impossibleComposableStable,
  isPaused: ({ paused }) => paused,
} satisfies Curve<ComposableStableState>;
