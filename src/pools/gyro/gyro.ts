import type { Curve } from "../curve/curve.ts";
import { NEW_SLOT, withFirstUse } from "../curve/curve-gas.ts";
import { gyroFields } from "./fields.ts";
import { impossibleGyro } from "./impossible.ts";
import { gyroMath } from "./math.ts";
import type { GyroState } from "./state.ts";

/** Gyroscope's concentrated pools in Balancer V2's vault. */
export const gyro = {
  math: gyroMath,
  gas: {
    // As much as of a weighted pool: the formulas take their gas again.
    savedAgain: () => 39_000n,
    givenBack: 39_800n,
    // Each token's rate may cost more than it is counted with.
    most: withFirstUse((tokens) => NEW_SLOT + 30_000n * tokens),
  },
  timeless: true,
  fields: gyroFields,
  impossible: impossibleGyro,
  isPaused: ({ paused }) => paused,
} satisfies Curve<GyroState>;
