import type { Curve } from "../curve/curve.ts";
import { ekuboFields } from "./fields.ts";
import { mostEkuboGas, SAVED_AGAIN } from "./gas.ts";
import { impossibleEkubo } from "./impossible.ts";
import { ekuboMath } from "./math.ts";
import type { EkuboState } from "./state.ts";

/** Pools of Ekubo's Core: liquidity between ticks of a millionth. */
export const ekubo = {
  math: ekuboMath,
  gas: {
    savedAgain: () => SAVED_AGAIN,
    most: ({ gas, isFurther }) => mostEkuboGas(gas, isFurther),
  },
  timeless: true,
  payment: () => "lock",
  fields: ekuboFields,
  impossible: impossibleEkubo,
} satisfies Curve<EkuboState>;
