import type { Curve } from "../curve/curve.ts";
import { NEW_SLOT, withFirstUse } from "../curve/curve-gas.ts";
import { sampledLadderFields } from "./fields.ts";
import { impossibleSampledLadder } from "./impossible.ts";
import { sampledLadderMath } from "./math.ts";
import type { SampledLadderState } from "./state.ts";

/** Contracts that set their prices themselves, as they have quoted them. */
export const sampledLadder = {
  math: sampledLadderMath,
  // The contract's writes besides the two balances are unknown: as much again.
  gas: { most: withFirstUse((tokens) => 2n * tokens * NEW_SLOT) },
  fields: sampledLadderFields,
  impossible: impossibleSampledLadder,
  timeless: true,
} satisfies Curve<SampledLadderState>;
