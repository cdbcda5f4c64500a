import {
  amount,
  amounts,
  amountsPerToken,
  maybeTrue,
  type StateField,
  type StateFields,
} from "../curve/state-field.ts";
import type { CryptoswapState } from "./state.ts";

/** Pools of NG have none. */
const generation: StateField<CryptoswapState["generation"], string> = {
  write: (value) => value ?? "",
  read: (text) => {
    if (text === "") return undefined;
    if (text !== "first" && text !== "second") throw new RangeError(`no generation of pools: "${text}"`);
    return text;
  },
};

export const cryptoswapFields = {
  balances: amountsPerToken,
  precisions: amounts,
  priceScale: amounts,
  initialA: amount,
  futureA: amount,
  initialGamma: amount,
  futureGamma: amount,
  initialTime: amount,
  futureTime: amount,
  d: amount,
  midFee: amount,
  outFee: amount,
  feeGamma: amount,
  virtualPrice: amount,
  supply: amount,
  traded: maybeTrue,
  generation,
} satisfies StateFields<CryptoswapState>;
