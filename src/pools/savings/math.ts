import { MAX_UINT128, MAX_UINT256 } from "../../math/full-math.ts";
import { NO_LIQUIDITY } from "../rejections.ts";
import { shareMath } from "../vault/share-math.ts";
import { RAY, rateAt } from "./accrual.ts";
import { ACCRUAL_GAS } from "./gas.ts";
import type { SavingsState } from "./state.ts";

/**
 * Sky's savings (SUsds.sol, SavingsDai.sol: deposit, mint, redeem, withdraw): a rate that grows by the second and does not
 * depend on the amount. Above 2^128 it is no rate that anybody trades at: the amounts would not fit.
 */
export const savingsMath = shareMath<SavingsState>({
  at(state, time) {
    const assets = rateAt(state, time);
    if (assets === undefined || assets === 0n || assets > MAX_UINT128) return NO_LIQUIDITY;
    const { totalSupply } = state;
    const totalAssets = (totalSupply * assets) / RAY;
    return { rate: { assets, shares: RAY }, totalAssets, totalSupply, maxDeposit: MAX_UINT256 };
  },
  moved: (state, { totalSupply }, { rate }, time) => ({
    ...state,
    rate: rate.assets,
    updatedAt: time > state.updatedAt ? time : state.updatedAt,
    totalSupply,
  }),
  extraGas: ({ updatedAt }, time) => (time > updatedAt ? ACCRUAL_GAS : 0n),
});
