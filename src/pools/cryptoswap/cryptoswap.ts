import type { Curve } from "../curve.ts";
import { NEW_SLOT, withFirstUse } from "../curve-gas.ts";
import { cryptoswapFields } from "./fields.ts";
import { impossibleCryptoswap } from "./impossible.ts";
import { cryptoswapMath } from "./math.ts";
import type { CryptoswapState } from "./state.ts";

/** Curve's pools of tokens of unlike value. */
export const cryptoswap = {
  math: cryptoswapMath,
  // The first use writes as much as stableswap's, and moves the internal price, of which the model counts half.
  gas: { givenBack: 59_700n, passesOn: true, most: withFirstUse(() => 3n * NEW_SLOT + 19_000n) },
  fields: cryptoswapFields,
  impossible: impossibleCryptoswap,
} satisfies Curve<CryptoswapState>;
