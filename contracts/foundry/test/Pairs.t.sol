// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {Terms} from "../../src/Terms.sol";
import {SOLIDLY_POOL, V2_PAIR} from "../../src/VenueCodes.sol";
import {vm} from "../src/Cheats.sol";
import {IToken} from "../src/Doors.sol";
import {WHOLE, exactIn, exactOut, fillOf, none} from "../src/Routes.sol";
import {World} from "../src/World.sol";

/// A pair, or a volatile Solidly pool, whose reserves are apart. It pays what it is asked for, one token at a time.
contract UnevenPair {
    IToken private immutable token0;
    IToken private immutable token1;
    uint112 private immutable reserve0;
    uint112 private immutable reserve1;

    constructor(IToken token0_, IToken token1_, uint112 reserve0_, uint112 reserve1_) {
        (token0, token1, reserve0, reserve1) = (token0_, token1_, reserve0_, reserve1_);
    }

    function getReserves() external view returns (uint112, uint112, uint32) {
        return (reserve0, reserve1, 0);
    }

    /// As much as is sold, of token 0; half of that, of token 1.
    function getAmountOut(uint256 amount, address sold) external view returns (uint256) {
        return sold == address(token0) ? amount : amount / 2;
    }

    function swap(uint256 amount0, uint256 amount1, address to, bytes calldata) external {
        require((amount0 == 0) != (amount1 == 0), "one token is bought");
        if (amount0 != 0) token0.transfer(to, amount0);
        else token1.transfer(to, amount1);
    }
}

/// What pairs bring and cost, to the unit, by the formulas of their own routers.
contract PairsTest is World {
    uint256 private constant PPM = 1_000_000;
    uint112 private constant RESERVE_0 = 880;
    uint112 private constant RESERVE_1 = 990;

    UnevenPair private uneven;
    /// By how much reserves and amounts are larger.
    uint112 private scale;

    function setUp() external {
        _makeWorld();
        _makePair(1);
    }

    function _makePair(uint112 scale_) private {
        scale = scale_;
        (IToken first, IToken second) = (IToken(address(tokenA)), IToken(address(tokenB)));
        uneven = new UnevenPair(first, second, RESERVE_0 * scale, RESERVE_1 * scale);
        tokenA.mint(address(uneven), RICH);
        tokenB.mint(address(uneven), RICH);
    }

    function test_whatIsSoldBringsWhatTheReservesSay() external {
        _sellsByTheFormula(97);
        _makePair(1e15);
        _sellsByTheFormula(1_000);
    }

    /// A pair's cost is rounded once; a Solidly pool takes its fee out first.
    function test_whatIsBoughtCostsWhatTheReservesSay() external {
        // With these steps a quotient has no remainder at 891, and one of one at 871 and at 761.
        _buysByTheFormula(10);
        _makePair(1e15);
        _buysByTheFormula(300);
    }

    function _sellsByTheFormula(uint256 step) private {
        for (uint256 way = 0; way < 2; ++way) {
            (uint256 reserveIn, uint256 reserveOut) = way == 0 ? _reserves() : _turned();
            for (uint256 amount = 3 * scale; amount < 2_000 * uint256(scale); amount += step * scale) {
                uint256 net = amount * (PPM - 3_000);
                uint256 expected = net * reserveOut / (reserveIn * PPM + net);
                vm.assertEq(_sell(V2_PAIR, 3_000, way, amount), expected, "a pair");
            }
        }
    }

    function test_aSolidlyPoolIsAsked() external {
        vm.assertEq(_sell(SOLIDLY_POOL, 3_000, 0, 500), 500, "token 0");
        vm.assertEq(_sell(SOLIDLY_POOL, 3_000, 1, 500), 250, "token 1");
    }

    function _buysByTheFormula(uint256 step) private {
        for (uint256 way = 0; way < 2; ++way) {
            (uint256 reserveIn, uint256 reserveOut) = way == 0 ? _reserves() : _turned();
            for (uint256 amount = scale; amount < reserveOut; amount += step * scale) {
                uint256 left = reserveOut - amount;
                uint256 cost = reserveIn * amount * PPM / (left * (PPM - 3_000)) + 1;
                vm.assertEq(_buy(V2_PAIR, 3_000, way, amount), cost, "a pair");
                uint256 net = reserveIn * amount / left;
                if (net * left < reserveIn * amount) ++net;
                cost = (net - 1) * PPM / (PPM - 500) + 1;
                vm.assertEq(_buy(SOLIDLY_POOL, 500, way, amount), cost, "a Solidly pool");
            }
        }
    }

    function _reserves() private view returns (uint256, uint256) {
        return (RESERVE_0 * scale, RESERVE_1 * scale);
    }

    function _turned() private view returns (uint256, uint256) {
        return (RESERVE_1 * scale, RESERVE_0 * scale);
    }

    function _termsOf(uint256 way, uint256 most) private view returns (Terms memory) {
        (address sold, address bought) =
            way == 0 ? (address(tokenA), address(tokenB)) : (address(tokenB), address(tokenA));
        return _terms(sold, most, bought, 1);
    }

    function _sell(uint256 kind, uint24 fee, uint256 way, uint256 amount) private returns (uint256) {
        bytes memory fill = fillOf(kind, 1, 0, 1, WHOLE, fee, address(uneven));
        return _swap(_termsOf(way, amount), exactIn(none(), fill));
    }

    /// @return cost what was sold
    function _buy(uint256 kind, uint24 fee, uint256 way, uint256 amount) private returns (uint256 cost) {
        Terms memory terms = _termsOf(way, 1e24);
        IToken sold = IToken(terms.sellToken);
        cost = sold.balanceOf(taker);
        bytes memory fill = fillOf(kind, 0, 0, 1, WHOLE, fee, address(uneven));
        vm.assertEq(_swap(terms, exactOut(amount, none(), fill)), amount, "exactly");
        cost -= sold.balanceOf(taker);
    }
}
