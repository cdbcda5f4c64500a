import type { Curve } from "../curve/curve.ts";
import { kuruFields } from "./fields.ts";
import { mostKuruGas, SAVED_AGAIN } from "./gas.ts";
import { impossibleKuru } from "./impossible.ts";
import { kuruMath } from "./math.ts";
import type { KuruState } from "./state.ts";

/** Markets of Kuru: levels of a book and a vault's orders between them. */
export const kuru = {
  math: kuruMath,
  gas: { savedAgain: () => SAVED_AGAIN, most: ({ gas }) => mostKuruGas(gas) },
  timeless: true,
  fields: kuruFields,
  impossible: impossibleKuru,
} satisfies Curve<KuruState>;
