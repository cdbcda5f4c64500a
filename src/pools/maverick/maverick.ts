import type { Curve } from "../curve/curve.ts";
import { maverickFields } from "./fields.ts";
import { mostMaverickGas, SAVED_AGAIN } from "./gas.ts";
import { impossibleMaverick } from "./impossible.ts";
import { maverickMath } from "./math.ts";
import type { MaverickState } from "./state.ts";

/** Pools of Maverick V2: liquidity in ticks, whose bins move with the price. */
export const maverick = {
  math: maverickMath,
  gas: {
    savedAgain: () => SAVED_AGAIN,
    most: ({ gas }, { movable }) => mostMaverickGas(gas, movable === true),
  },
  timeless: true,
  fields: maverickFields,
  impossible: impossibleMaverick,
} satisfies Curve<MaverickState>;
