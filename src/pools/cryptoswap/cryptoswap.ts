import type { Curve } from "../curve/curve.ts";
import { NEW_SLOT } from "../curve/curve-gas.ts";
import { cryptoswapFields } from "./fields.ts";
import { MAX_MORE_BEFORE_NG } from "./gas.ts";
import { impossibleCryptoswap } from "./impossible.ts";
import { cryptoswapMath } from "./math.ts";
import type { CryptoswapState } from "./state.ts";

/** Curve's pools of tokens of unlike value. */
export const cryptoswap = {
  math: cryptoswapMath,
  gas: {
    givenBack: 59_700n,
    passesOn: true,
    // The administrator's share, averages and the fee, and a move of the internal price, of which the model counts half.
    most({ gas, givenBack }, { generation }) {
      return gas + givenBack + 3n * NEW_SLOT + (generation === undefined ? 19_000n : MAX_MORE_BEFORE_NG);
    },
  },
  fields: cryptoswapFields,
  impossible: impossibleCryptoswap,
} satisfies Curve<CryptoswapState>;
