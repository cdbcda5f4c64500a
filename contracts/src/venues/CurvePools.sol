// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {InvalidPayload, PartialFill} from "../Payload.sol";
import {NATIVE_TOKEN, TokenTransfers} from "../TokenTransfers.sol";
import {Trade, VenuePart} from "../VenuePart.sol";

interface ICurvePool {
    function exchange(int128 i, int128 j, uint256 dx, uint256 minDy) external payable;
    function exchange_underlying(int128 i, int128 j, uint256 dx, uint256 minDy) external;
    function remove_liquidity_one_coin(uint256 amount, int128 i, uint256 least) external;
}

/// Where coins are added as a list; older pools take an array as long as their coins.
interface ICurveListPool {
    function add_liquidity(uint256[] calldata amounts, uint256 least) external payable;
}

interface ICurveCryptoPool {
    function exchange(uint256 i, uint256 j, uint256 dx, uint256 minDy) external payable;
}

/// Curve's pools; the oldest of them neither name a receiver nor say what they paid.
contract CurvePools is VenuePart {
    using TokenTransfers for address;

    uint256 private constant EXCHANGE = 0;
    uint256 private constant CRYPTO_EXCHANGE = 1;
    uint256 private constant UNDERLYING_EXCHANGE = 2;
    uint256 private constant ADD = 3;
    uint256 private constant ADD_LIST = 4;
    uint256 private constant REMOVE = 5;

    /// The detail says which of a pool's functions (1 byte), and the numbers of the coins sold and bought (1 byte each).
    /// Where a coin is added for shares, the second number is how many coins the pool has; where one is removed, the first
    /// has no meaning. Native token is sent along.
    function _sell(Trade calldata trade, bytes calldata) internal override returns (uint256) {
        (address pool, uint256 amount) = (trade.fill.poolOf(), trade.amount);
        (address sold, address bought) = (trade.sold, trade.bought);
        (uint256 kind, uint256 i, uint256 j) = _callOf(trade.fill.detailOf());
        _draw(trade, amount);
        uint256 before = bought.balanceOf(address(this));
        if (kind == REMOVE) {
            _remove(pool, sold, j, amount);
            return _passOn(bought, before, trade.to);
        }
        uint256 value = sold == NATIVE_TOKEN ? amount : 0;
        if (value == 0) sold.approve(pool, amount);
        if (kind == EXCHANGE) ICurvePool(pool).exchange{value: value}(_signed(i), _signed(j), amount, 0);
        else if (kind == CRYPTO_EXCHANGE) ICurveCryptoPool(pool).exchange{value: value}(i, j, amount, 0);
        else if (kind == UNDERLYING_EXCHANGE) ICurvePool(pool).exchange_underlying(_signed(i), _signed(j), amount, 0);
        else if (kind == ADD || kind == ADD_LIST) _add(pool, kind == ADD_LIST, i, j, amount, value);
        else revert InvalidPayload();
        if (value == 0) _assertDrawn(sold, pool);
        return _passOn(bought, before, trade.to);
    }

    function _callOf(uint256 detail) private pure returns (uint256 kind, uint256 i, uint256 j) {
        return (detail >> 16, uint8(detail >> 8), uint8(detail));
    }

    function _signed(uint256 coin) private pure returns (int128) {
        return int128(uint128(coin));
    }

    /// Burns shares, which a pool does with its own without an approval.
    function _remove(address pool, address shares, uint256 coin, uint256 amount) private {
        uint256 held = shares.balanceOf(address(this));
        ICurvePool(pool).remove_liquidity_one_coin(amount, _signed(coin), 0);
        if (shares.balanceOf(address(this)) + amount != held) revert PartialFill(pool);
    }

    /// Adds one of a pool's coins. An array of fixed length has a selector of its own for each.
    function _add(address pool, bool list, uint256 coin, uint256 coins, uint256 amount, uint256 value) private {
        uint256[] memory amounts = new uint256[](coins);
        amounts[coin] = amount;
        if (list) {
            ICurveListPool(pool).add_liquidity{value: value}(amounts, 0);
            return;
        }
        bytes4 selector;
        if (coins == 2) selector = bytes4(keccak256("add_liquidity(uint256[2],uint256)"));
        else if (coins == 3) selector = bytes4(keccak256("add_liquidity(uint256[3],uint256)"));
        else if (coins == 4) selector = bytes4(keccak256("add_liquidity(uint256[4],uint256)"));
        else revert InvalidPayload();
        (bool done, bytes memory answer) = pool.call{value: value}(abi.encodePacked(selector, amounts, uint256(0)));
        if (!done) {
            assembly ("memory-safe") {
                revert(add(answer, 32), mload(answer))
            }
        }
    }
}
