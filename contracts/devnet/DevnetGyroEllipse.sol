// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {DevnetGyroMath} from "./DevnetGyroMath.sol";

/// What a swap in an E-CLP counts with: 18 decimals, and 38 from tau(alpha) on.
struct Ellipse {
    int256 c;
    int256 s;
    int256 lambda;
    int256 alphaX;
    int256 alphaY;
    int256 betaX;
    int256 betaY;
    int256 u;
    int256 v;
    int256 w;
    int256 z;
    int256 dSq;
}

/// A radius that is too large and one that is too small.
struct Radius {
    int256 over;
    int256 under;
}

/// The ellipse of Gyroscope's E-CLP, from the documented formulas.
library DevnetGyroEllipse {
    error AssetBoundsExceeded();
    error MaxAssetsExceeded();

    int256 private constant ONE = 1e18;
    int256 private constant ONE_XP = 1e38;
    int256 private constant HALF = 1e19;
    int256 private constant MAX_BALANCES = 1e34;
    int256 private constant MAX_INVARIANT = 3e37;

    struct Side {
        int256 centre;
        int256 centreOut;
        int256 s;
        int256 c;
        int256 tauX;
        int256 tauY;
    }

    /// Payment of a swap, or with `exactOut` its cost. Token 0 is sold, or token 1.
    function swapped(Ellipse memory e, int256[2] memory held, bool sells0, int256 amount, bool exactOut)
        internal
        pure
        returns (uint256)
    {
        Radius memory r = radius(e, held[0], held[1]);
        uint256 sell = sells0 ? 0 : 1;
        if (!exactOut) {
            int256 balance = held[sell] + amount;
            _checkBounds(e, r, balance, sells0);
            return uint256(held[1 - sell]) - _unsigned(_other(e, r, balance, sells0));
        }
        if (amount > held[1 - sell]) revert AssetBoundsExceeded();
        int256 grown = _other(e, r, held[1 - sell] - amount, !sells0);
        _checkBounds(e, r, grown, sells0);
        return _unsigned(grown) - uint256(held[sell]);
    }

    function radius(Ellipse memory e, int256 x, int256 y) internal pure returns (Radius memory r) {
        if (x + y > MAX_BALANCES) revert MaxAssetsExceeded();
        int256 sum = _first(e, x, y) + _mixed(e, x, y) + _second(e, x, y);
        int256 root = sum > 0 ? _root(sum) : int256(0);
        int256 off = (_mulUp(x, x) + _mulUp(y, y)) / ONE_XP;
        off = root > 0 ? _divUp(off + 1, 2 * root) : off > 0 ? _root(off) : int256(1e9);
        off = (_mulUp(e.lambda, x + y) / ONE_XP + off + 1) * 20;
        int256 factor = _divXp(ONE_XP, _chi(e) - ONE_XP);
        r.under = _timesDown(_along(e, x, y) + root - off, factor);
        int256 error_ = _timesUp(off, factor);
        error_ += _timesUp(r.under, factor) * (e.lambda * e.lambda / 1e36) * 40 / ONE_XP + 1;
        r.over = r.under + 2 * error_;
        if (r.under + error_ > MAX_INVARIANT) revert MaxAssetsExceeded();
    }

    function _checkBounds(Ellipse memory e, Radius memory r, int256 balance, bool of0) private pure {
        int256 along = of0 ? e.c : e.s;
        int256 across = of0 ? e.s : e.c;
        int256 high = _divXp(of0 ? e.betaY - e.alphaY : e.alphaY - e.betaY, e.dSq);
        int256 most = _timesDown(_mulDown(_mulDown(r.under, e.lambda), along), _divXp(e.betaX - e.alphaX, e.dSq));
        most += _timesDown(high > 0 ? _mulDown(r.under, across) : _mulUp(r.over, across), high);
        if (balance > MAX_BALANCES || balance > most) revert AssetBoundsExceeded();
    }

    function _centre(Ellipse memory e, Radius memory r) private pure returns (int256 x, int256 y) {
        int256 term = _divXp(e.betaX, e.dSq);
        x = e.betaX > 0
            ? _timesUp(_mulUp(_mulUp(r.over, e.lambda), e.c), term)
            : _timesUp(_mulDown(_mulDown(r.under, e.lambda), e.c), term);
        x += _timesUp(_mulUp(r.over, e.s), _divXp(e.betaY, e.dSq));
        term = _divXp(e.alphaX, e.dSq);
        y = e.alphaX < 0
            ? _timesUp(_mulUp(_mulUp(r.over, e.lambda), e.s), -term)
            : _timesUp(_mulDown(_mulDown(-r.under, e.lambda), e.s), term);
        y += _timesUp(_mulUp(r.over, e.c), _divXp(e.alphaY, e.dSq));
    }

    /// The other balance where one is `balance`, rounded up.
    function _other(Ellipse memory e, Radius memory r, int256 balance, bool of0) private pure returns (int256) {
        (int256 x, int256 y) = _centre(e, r);
        Side memory side =
            of0 ? Side(x, y, e.s, e.c, e.betaX, e.betaY) : Side(y, x, e.c, e.s, -e.alphaX, e.alphaY);
        int256 flatter = ONE_XP - _divDown(_divDown(ONE_XP, e.lambda), e.lambda);
        int256 flat = ONE_XP - _divUp(_divUp(ONE_XP, e.lambda), e.lambda);
        int256 off = balance - side.centre;
        int256 middle = off > 0
            ? _timesUp(_mulDown(_mulDown(-off, side.s), side.c), _divXp(flat, e.dSq))
            : _timesUp(_mulUp(_mulUp(-off, side.s), side.c), _divXp(flatter, e.dSq) + 1);
        int256 below = ONE_XP - (_divXp(_mulUp(_mulUp(flatter, side.s), side.s), e.dSq + 1) + 1);
        int256 square = _timesDown(_mulDown(r.under, r.under), below) - _offSquared(e, r, side, balance);
        middle -= square > 0 ? _root(square) : int256(0);
        if (middle > 0) return _timesUp(middle, _divXp(ONE_XP, below) + 1) + side.centreOut;
        int256 above = ONE_XP - _divXp(_mulDown(_mulDown(flat, side.s), side.s), e.dSq);
        return _timesUp(middle, _divXp(ONE_XP, above)) + side.centreOut;
    }

    function _offSquared(Ellipse memory e, Radius memory r, Side memory side, int256 balance)
        private
        pure
        returns (int256)
    {
        int256 dSq2 = _mulXp(e.dSq, e.dSq);
        int256 square = _mulUp(r.over, r.over);
        int256 term = _divXp(_mulXp(side.tauX, side.tauY), dSq2);
        int256 sum = term > 0
            ? _timesUp(_mulUp(_mulUp(square, 2 * side.s), side.c), term + 7)
            : _timesUp(_mulDown(_mulDown(_mulDown(r.under, r.under), 2 * side.s), side.c), term);
        term = _divXp(side.tauX, e.dSq);
        sum += side.tauX < 0
            ? _timesUp(_mulUp(_mulUp(r.over, balance), 2 * side.c), -term + 3)
            : _timesUp(_mulDown(_mulDown(-r.under, balance), 2 * side.c), term);
        term = _divXp(_mulXp(side.tauY, side.tauY), dSq2) + 7;
        int256 squares = _timesUp(_mulUp(_mulUp(square, side.s), side.s), term);
        squares += _timesUp(_mulDown(_mulDown(-r.under, balance), 2 * side.s), _divXp(side.tauY, e.dSq));
        sum += _over(squares + _mulUp(balance, balance), e.lambda);
        term = _divXp(_mulXp(side.tauX, side.tauX), dSq2) + 7;
        return _timesUp(_mulUp(_mulUp(square, side.c), side.c), term) + _over(sum, e.lambda);
    }

    function _over(int256 value, int256 lambda) private pure returns (int256) {
        return value > 0 ? _divUp(value, lambda) : _divDown(value, lambda);
    }

    function _along(Ellipse memory e, int256 x, int256 y) private pure returns (int256 sum) {
        int256 dSq2 = _mulXp(e.dSq, e.dSq);
        sum = _timesDown(
            _mulDown(x, e.c) - _mulDown(y, e.s), _divXp(_divDown(_divDown(e.w, e.lambda) + e.z, e.lambda), dSq2)
        );
        int256 long = _mulDown(_mulDown(x, e.lambda), e.s) + _mulDown(_mulDown(y, e.lambda), e.c);
        sum += _timesDown(long, _divXp(e.u, dSq2));
        sum += _timesDown(_mulDown(x, e.s) + _mulDown(y, e.c), _divXp(e.v, dSq2));
    }

    function _chi(Ellipse memory e) private pure returns (int256 sum) {
        int256 dSq3 = _mulXp(_mulXp(e.dSq, e.dSq), e.dSq);
        sum = _mulUp(e.lambda, _divXp(_mulXp(2 * e.u, e.v), dSq3));
        sum += _mulUp(_mulUp(_divXp(_mulXp(e.u + 1, e.u + 1), dSq3), e.lambda), e.lambda);
        sum += _divXp(_mulXp(e.v, e.v), dSq3);
        int256 across = _divUp(e.w, e.lambda) + e.z;
        sum += _divXp(_mulXp(across, across), dSq3);
    }

    function _first(Ellipse memory e, int256 x, int256 y) private pure returns (int256) {
        int256 own = _mulUp(_mulUp(_mulUp(x, x), e.c), e.c) + _mulUp(_mulUp(_mulUp(y, y), e.s), e.s);
        own -= _mulDown(_mulDown(_mulDown(x, y), e.c * 2), e.s);
        int256 sum = _mulXp(e.u, e.u) + _divDown(_mulXp(2 * e.u, e.v), e.lambda);
        sum += _divDown(_divDown(_mulXp(e.v, e.v), e.lambda), e.lambda);
        int256 rest = _divDown(_divDown(own - 9, e.lambda), e.lambda);
        return _timesDown(-own, _divXp(sum, _fourth(e.dSq))) + _timesDown(rest, _divXp(ONE_XP, e.dSq));
    }

    function _mixed(Ellipse memory e, int256 x, int256 y) private pure returns (int256) {
        int256 twice = _mulDown(y, 2 * x);
        int256 own = _mulDown(_mulDown(_mulDown(x, x) - _mulUp(y, y), 2 * e.c), e.s);
        own += _mulDown(_mulDown(twice, e.c), e.c) - _mulDown(_mulDown(twice, e.s), e.s);
        int256 sum = _mulXp(e.z, e.u) + _divDown(_divDown(_mulXp(e.w, e.v), e.lambda), e.lambda);
        sum += _divDown(_mulXp(e.w, e.u) + _mulXp(e.z, e.v), e.lambda);
        return _timesDown(own, _divXp(sum, _fourth(e.dSq)));
    }

    function _second(Ellipse memory e, int256 x, int256 y) private pure returns (int256) {
        int256 own = _mulUp(_mulUp(_mulUp(x, x), e.s), e.s) + _mulUp(_mulUp(_mulUp(y, y), e.c), e.c);
        own += _mulUp(_mulUp(_mulUp(x, y), e.s * 2), e.c);
        int256 sum = _mulXp(e.z, e.z) + _divDown(_divDown(_mulXp(e.w, e.w), e.lambda), e.lambda);
        sum += _divDown(_mulXp(2 * e.z, e.w), e.lambda);
        return _timesDown(-own, _divXp(sum, _fourth(e.dSq))) + _timesDown(own - 9, _divXp(ONE_XP, e.dSq));
    }

    function _fourth(int256 dSq) private pure returns (int256) {
        return _mulXp(_mulXp(_mulXp(dSq, dSq), dSq), dSq);
    }

    function _root(int256 value) private pure returns (int256) {
        return int256(DevnetGyroMath.root(uint256(value)));
    }

    function _unsigned(int256 value) private pure returns (uint256) {
        if (value < 0) revert AssetBoundsExceeded();
        return uint256(value);
    }

    function _mulDown(int256 a, int256 b) private pure returns (int256) {
        return a * b / ONE;
    }

    function _mulUp(int256 a, int256 b) private pure returns (int256) {
        return _away(a * b, ONE);
    }

    function _divDown(int256 a, int256 b) private pure returns (int256) {
        return a * ONE / b;
    }

    function _divUp(int256 a, int256 b) private pure returns (int256) {
        return _away(a * ONE, b);
    }

    function _mulXp(int256 a, int256 b) private pure returns (int256) {
        return a * b / ONE_XP;
    }

    function _divXp(int256 a, int256 b) private pure returns (int256) {
        return a * ONE_XP / b;
    }

    function _timesDown(int256 a, int256 factor) private pure returns (int256) {
        int256 high = a * (factor / HALF);
        int256 low = a * (factor % HALF);
        int256 sum = high + low / HALF;
        return high >= 0 && low >= 0 ? sum / HALF : (sum + 1) / HALF - 1;
    }

    function _timesUp(int256 a, int256 factor) private pure returns (int256) {
        int256 high = a * (factor / HALF);
        int256 low = a * (factor % HALF);
        int256 sum = high + low / HALF;
        return high <= 0 && low <= 0 ? sum / HALF : (sum - 1) / HALF + 1;
    }

    function _away(int256 product, int256 by) private pure returns (int256) {
        if (product > 0) return (product - 1) / by + 1;
        return product < 0 ? (product + 1) / by - 1 : int256(0);
    }
}
