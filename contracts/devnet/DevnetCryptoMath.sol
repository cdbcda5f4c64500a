// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

/// The arithmetic of pools of two or three tokens of unlike value, written from the documented formulas: the invariant and a
/// balance under it as twocrypto-NG and tricrypto-NG find them, the analytic root of a cubic equation included.
library DevnetCryptoMath {
    uint256 internal constant ONE = 1e18;
    uint256 internal constant A_MULTIPLIER = 10_000;

    // ------------------------------------------------------------------------------------------------ roots

    function squareRoot(uint256 value) internal pure returns (uint256 root) {
        if (value < 2) return value;
        root = 1 << ((_log2(value) >> 1) + 1);
        while (true) {
            uint256 next = (root + value / root) >> 1;
            if (next >= root) return root;
            root = next;
        }
    }

    /// Of a number with 18 decimals.
    function cubeRoot(uint256 value) internal pure returns (uint256 root) {
        if (value == 0) return 0;
        uint256 room = type(uint256).max / 1e36;
        uint256 scaled = value;
        if (value < room) scaled = value * 1e36;
        else if (value < room * 1e18) scaled = value * 1e18;
        uint256 log = _log2(scaled);
        root = 2 ** (log / 3) * 1260 ** (log % 3) / 1000 ** (log % 3);
        for (uint256 round = 0; round < 7; ++round) root = (2 * root + scaled / (root * root)) / 3;
        if (value >= room * 1e18) root *= 1e12;
        else if (value >= room) root *= 1e6;
    }

    function geometricMean(uint256[] memory x) internal pure returns (uint256) {
        if (x.length == 2) return squareRoot(x[0] * x[1]);
        return cubeRoot(x[0] * x[1] / ONE * x[2] / ONE);
    }

    function _log2(uint256 value) private pure returns (uint256 log) {
        for (uint256 step = 128; step != 0; step >>= 1) {
            if (value >> step == 0) continue;
            value >>= step;
            log += step;
        }
    }

    // ------------------------------------------------------------------------------------------------ newton

    struct Step {
        uint256 k;
        uint256 g;
        uint256 mul1;
        uint256 mul2;
        uint256 slope;
    }

    function invariant(uint256 ann, uint256 gamma, uint256[] memory unsorted, uint256 k0)
        internal
        pure
        returns (uint256 d)
    {
        uint256[] memory x = _sorted(unsorted);
        uint256 n = x.length;
        (uint256 x0, uint256 x1, uint256 x2) = (x[0], x[1], x[n - 1]);
        uint256 sum = n == 2 ? x0 + x1 : x0 + x1 + x2;
        d = _firstGuess(x, sum, k0);
        for (uint256 round = 0; round < 255; ++round) {
            uint256 before = d;
            unchecked {
                uint256 k = n == 2 ? 4 * ONE * x0 / d * x1 / d : ONE * x0 * 3 / d * x1 * 3 / d * x2 * 3 / d;
                uint256 g = _distance(gamma, k);
                uint256 mul1 = ONE * d / gamma * g / gamma * g * A_MULTIPLIER / ann;
                uint256 mul2 = 2 * ONE * n * k / g;
                uint256 slope = sum + sum * mul2 / ONE + mul1 * n / k - mul2 * d / ONE;
                uint256 plus = d * (slope + sum) / slope;
                uint256 minus = d * d / slope;
                uint256 part = d * (mul1 / slope) / ONE;
                if (ONE > k) minus += part * (ONE - k) / k;
                else minus -= part * (k - ONE) / k;
                d = plus > minus ? plus - minus : (minus - plus) / 2;
                uint256 moved = d > before ? d - before : before - d;
                if (moved * 1e14 < (d > 1e16 ? d : 1e16)) return d;
            }
        }
        revert("no invariant found");
    }

    function _firstGuess(uint256[] memory x, uint256 sum, uint256 k0) private pure returns (uint256 d) {
        if (x.length == 2) {
            if (k0 == 0) return 2 * squareRoot(x[0] * x[1]);
            d = squareRoot(4 * x[0] * x[1] / k0 * ONE);
            return sum < d ? sum : d;
        }
        if (k0 == 0) return 3 * geometricMean(x);
        if (sum > 1e36) return cubeRoot(x[0] * x[1] / 1e36 * x[2] / k0 * 27 * 1e12);
        if (sum > 1e24) return cubeRoot(x[0] * x[1] / 1e24 * x[2] / k0 * 27 * 1e6);
        return cubeRoot(x[0] * x[1] / 1e18 * x[2] / k0 * 27);
    }

    function _distance(uint256 gamma, uint256 k) private pure returns (uint256) {
        uint256 g = gamma + ONE;
        return g > k ? g - k + 1 : k - g + 1;
    }

    /// From high to low.
    function _sorted(uint256[] memory x) private pure returns (uint256[] memory y) {
        y = new uint256[](x.length);
        for (uint256 i = 0; i < x.length; ++i) {
            uint256 at = i;
            for (; at > 0 && y[at - 1] < x[i]; --at) y[at] = y[at - 1];
            y[at] = x[i];
        }
    }

    function _newtonBalance(uint256 ann, uint256 gamma, uint256[] memory others, uint256 d)
        private
        pure
        returns (uint256 y)
    {
        others = _sorted(others);
        uint256 n = others.length + 1;
        uint256 sumOfOthers = others[0];
        uint256 k0 = ONE;
        if (n == 2) {
            y = d * d / (others[0] * 4);
            k0 = ONE * 2 * others[0] / d;
        } else {
            sumOfOthers += others[1];
            y = d / 3 * d / (others[1] * 3) * d / (others[0] * 3);
            k0 = ONE * others[0] * 3 / d * others[1] * 3 / d;
        }
        uint256 near = (others[0] > d ? others[0] : d) / 1e14;
        if (near < 100) near = 100;
        Step memory s;
        for (uint256 round = 0; round < 255; ++round) {
            uint256 before = y;
            s.k = k0 * y * n / d;
            s.g = _distance(gamma, s.k);
            s.mul1 = ONE * d / gamma * s.g / gamma * s.g * A_MULTIPLIER / ann;
            s.mul2 = ONE + 2 * ONE * s.k / s.g;
            uint256 above = ONE * y + (sumOfOthers + y) * s.mul2 + s.mul1;
            if (above < d * s.mul2) {
                y = before / 2;
                continue;
            }
            above -= d * s.mul2;
            s.slope = above / y;
            uint256 minus = s.mul1 / s.slope;
            uint256 plus = (above + ONE * d) / s.slope + minus * ONE / s.k;
            minus += ONE * (sumOfOthers + before) / s.slope;
            y = plus < minus ? before / 2 : plus - minus;
            uint256 moved = y > before ? y - before : before - y;
            if (moved < (y / 1e14 > near ? y / 1e14 : near)) return y;
        }
        revert("no balance found");
    }

    // ------------------------------------------------------------------------------------------------ cubic

    struct Cubic {
        int256 a;
        int256 b;
        int256 c;
        int256 d;
    }

    /// The balance of token `buy` for an invariant, and K0 with it, or zero where that is not known.
    function balance(uint256 ann, uint256 gamma, uint256[] memory xp, uint256 d, uint256 buy)
        internal
        pure
        returns (uint256 y, uint256 k0)
    {
        uint256[] memory others = new uint256[](xp.length - 1);
        for ((uint256 i, uint256 at) = (0, 0); i < xp.length; ++i) if (i != buy) others[at++] = xp[i];
        for (uint256 i = 0; i < others.length; ++i) {
            uint256 part = others[i] * ONE / d;
            require(part >= 1e16 / (xp.length - 1) && part <= 1e20 / (xp.length == 2 ? 2 : 1), "out of reach");
        }
        bool found;
        (found, y, k0) = xp.length == 2
            ? _rootOfTwo(int256(ann), int256(gamma), int256(others[0]), int256(d))
            : _rootOfThree(int256(ann), int256(gamma), int256(others[0]), int256(others[1]), int256(d));
        if (!found) return (_newtonBalance(ann, gamma, others, d), 0);
    }

    function _rootOfTwo(int256 ann, int256 gamma, int256 x, int256 d) private pure returns (bool, uint256, uint256) {
        Cubic memory q;
        int256 strength = ann * gamma * gamma;
        q.a = 1e32;
        q.b = d * strength / 400_000_000 / x - 3e32 - 2e14 * gamma;
        q.c = 3e32 + 4e14 * gamma + gamma * gamma / 10_000 + 4 * strength / 400_000_000 * x / d
            - 4 * strength / 400_000_000;
        q.d = -((1e18 + gamma) ** 2 / 10_000);
        int256 delta0 = 3 * q.a * q.c / q.b - q.b;
        int256 delta1 = 3 * delta0 + q.b - 27 * q.a ** 2 / q.b * q.d / q.b;
        int256 least = _abs(delta0) < _abs(delta1) ? _abs(delta0) : _abs(delta1);
        if (q.a < least) least = q.a;
        int256 divider = 1;
        for (uint256 power = 48; power >= 24; power -= 2) {
            if (least > int256(10 ** power)) {
                divider = int256(10 ** (power - 18));
                break;
            }
        }
        if (divider == 1 && least > 1e20) divider = 100;
        (q.a, q.b, q.c, q.d) = (q.a / divider, q.b / divider, q.c / divider, q.d / divider);
        delta0 = 3 * q.a * q.c / q.b - q.b;
        delta1 = 3 * delta0 + q.b - 27 * q.a ** 2 / q.b * q.d / q.b;
        (bool found, int256 c1) = _cardano(q.b, delta0, delta1);
        if (!found) return (false, 0, 0);
        int256 root = (1e18 * c1 - 1e18 * q.b - 1e18 * q.b / c1 * delta0) / (3 * q.a);
        return (true, _positive(d ** 2 / x * root / 4 / 1e18), _positive(root));
    }

    function _rootOfThree(int256 ann, int256 gamma, int256 x, int256 z, int256 d)
        private
        pure
        returns (bool, uint256, uint256)
    {
        Cubic memory q;
        q.a = 1e36 / int256(27);
        q.b = 1e36 / int256(9) + 2e18 * gamma / 27 - d * d / x * (gamma * gamma) * ann / 729 / 10_000 / z;
        q.c = 1e36 / int256(9) + gamma * (gamma + 4e18) / 27 + gamma * gamma * (x + z - d) / d * ann / 27 / 10_000;
        q.d = (1e18 + gamma) ** 2 / 27;
        _shorten(q, _abs(3 * q.a * q.c / q.b - q.b));
        int256 delta0 = 3 * q.a * q.c / q.b - q.b;
        int256 delta1 = 9 * q.a * q.c / q.b - 2 * q.b - 27 * q.a ** 2 / q.b * q.d / q.b;
        (bool found, int256 c1) = _cardano(q.b, delta0, delta1);
        if (!found) return (false, 0, 0);
        int256 rootK0 = (q.b + q.b * delta0 / c1 - c1) / 3;
        return (true, _positive(d * d / 27 / z * d / x * rootK0 / q.a), _positive(1e18 * rootK0 / q.a));
    }

    function _shorten(Cubic memory q, int256 size) private pure {
        int256 divider = 1;
        for (uint256 power = 48; power >= 20; power -= 4) {
            if (size > int256(10 ** power)) {
                divider = int256(10 ** (power - 18));
                break;
            }
        }
        if (_abs(q.a) > _abs(q.b)) {
            int256 more = _abs(q.a / q.b);
            (q.a, q.b) = (q.a * more / divider, q.b * more / divider);
            (q.c, q.d) = (q.c * more / divider, q.d * more / divider);
        } else {
            int256 less = _abs(q.b / q.a);
            (q.a, q.b) = (q.a / less / divider, q.b / less / divider);
            (q.c, q.d) = (q.c / less / divider, q.d / less / divider);
        }
    }

    function _cardano(int256 b, int256 delta0, int256 delta1) private pure returns (bool, int256 c1) {
        int256 under = delta1 ** 2 + 4 * delta0 ** 2 / b * delta0;
        if (under <= 0) return (false, 0);
        int256 root = int256(squareRoot(uint256(under)));
        int256 rootOfB = b >= 0 ? int256(cubeRoot(uint256(b))) : -int256(cubeRoot(uint256(-b)));
        int256 second = delta1 > 0
            ? int256(cubeRoot(uint256((delta1 + root) / 2)))
            : -int256(cubeRoot(uint256((root - delta1) / 2)));
        c1 = rootOfB * rootOfB / 1e18 * second / 1e18;
        return (true, c1);
    }

    function _abs(int256 value) private pure returns (int256) {
        return value < 0 ? -value : value;
    }

    function _positive(int256 value) private pure returns (uint256) {
        require(value > 0, "no balance found");
        return uint256(value);
    }
}
