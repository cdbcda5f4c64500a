// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// The formulas of DODO's proactive market maker, with the roundings that its contracts publish (DODOMath.sol, DecimalMath.sol).
/// A reserve V of a token with target V0 is traded at the price i * (1 - k + k * (V0 / V)^2), of 18 decimals throughout.
library DevnetDodoMath {
    uint256 internal constant ONE = 1e18;

    /// What the way from `low` up to `high`, below the target, is worth in the other token.
    function integrate(uint256 target, uint256 high, uint256 low, uint256 i, uint256 k) internal pure returns (uint256) {
        require(target > 0, "TARGET_IS_ZERO");
        uint256 fair = i * (high - low);
        if (k == 0) return fair / ONE;
        uint256 far = target * target / high * ONE / low;
        return (ONE - k + k * far / ONE) * fair / (ONE * ONE);
    }

    /// The target from which a reserve has come down to `held` while `spare` of the other token came in.
    function targetOf(uint256 held, uint256 spare, uint256 i, uint256 k) internal pure returns (uint256) {
        if (k == 0) return held + i * spare / ONE;
        if (held == 0) return 0;
        uint256 root = ONE;
        uint256 slope = 4 * k * i;
        if (slope != 0) {
            (bool fits, uint256 product) = Math.tryMul(slope, spare);
            root = Math.sqrt((fits ? product / held : slope / held * spare) + ONE * ONE);
        }
        return held * ((root - ONE) * ONE / (2 * k) + ONE) / ONE;
    }

    /// What a reserve pays for `amount` of the other token, from `held` down.
    function paidFor(uint256 target, uint256 held, uint256 amount, uint256 i, uint256 k)
        internal
        pure
        returns (uint256)
    {
        require(target > 0, "TARGET_IS_ZERO");
        if (amount == 0) return 0;
        uint256 fair = i * amount;
        if (k == 0) return Math.min(fair / ONE, held);
        if (k == ONE) {
            (bool fits, uint256 product) = Math.tryMul(fair, held);
            uint256 part = fits ? product / (target * target) : amount * held / target * i / target;
            return held * part / (part + ONE);
        }
        uint256 left = _left(target, held, fair, k);
        return left > held ? 0 : held - left;
    }

    /// The positive root of (1 - k) * x^2 + b * x - k * target^2, with b = k * target^2 / held + fair - (1 - k) * held.
    function _left(uint256 target, uint256 held, uint256 fair, uint256 k) private pure returns (uint256) {
        uint256 plus = k * target / held * target + fair;
        uint256 minus = (ONE - k) * held;
        bool positive = plus > minus;
        uint256 b = (positive ? plus - minus : minus - plus) / ONE;
        uint256 root = Math.sqrt(b * b + (ONE - k) * 4 * (k * target / ONE * target) / ONE);
        uint256 twice = positive ? root - b : root + b;
        require(twice != 0, "DODOMath: should not be zero");
        return Math.ceilDiv(twice * ONE, (ONE - k) * 2);
    }
}
