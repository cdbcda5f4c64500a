import { amount, amounts, amountsPerToken, maybeTrue, type StateFields } from "../state-field.ts";
import type { CryptoswapState } from "./state.ts";

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
} satisfies StateFields<CryptoswapState>;
