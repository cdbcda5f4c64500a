// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {NATIVE_TOKEN, TokenTransfers} from "../src/TokenTransfers.sol";

/// A pool with all of the ways in which Curve's pools are asked to exchange, each with a price of its own: one to one less
/// 0.1 % by signed numbers, 0.2 % by unsigned ones, 0.3 % for the coins of a base pool.
contract CurveDouble {
    using TokenTransfers for address;

    address[] private coins;
    address[] private underlying;

    constructor(address[] memory coins_, address[] memory underlying_) {
        (coins, underlying) = (coins_, underlying_);
    }

    receive() external payable {}

    function exchange(int128 i, int128 j, uint256 dx, uint256 minDy) external payable returns (uint256) {
        return _exchange(coins[uint128(i)], coins[uint128(j)], dx, minDy, 999);
    }

    function exchange(uint256 i, uint256 j, uint256 dx, uint256 minDy) external payable returns (uint256) {
        return _exchange(coins[i], coins[j], dx, minDy, 998);
    }

    function exchange_underlying(int128 i, int128 j, uint256 dx, uint256 minDy) external {
        _exchange(underlying[uint128(i)], underlying[uint128(j)], dx, minDy, 997);
    }

    /// Sends on what comes with the call, and passes on why it was refused.
    function sendOn(address to) external payable {
        (bool done, bytes memory reason) = to.call{value: msg.value}("");
        if (done) return;
        assembly ("memory-safe") {
            revert(add(reason, 32), mload(reason))
        }
    }

    function _exchange(address sold, address bought, uint256 dx, uint256 minDy, uint256 price)
        private
        returns (uint256 dy)
    {
        if (sold == NATIVE_TOKEN) require(msg.value == dx, "not what was sent");
        else require(msg.value == 0, "nothing was to be sent");
        dy = dx * price / 1_000;
        require(dy >= minDy, "fewer than wanted");
        if (sold != NATIVE_TOKEN) sold.sendFrom(msg.sender, address(this), dx);
        bought.send(msg.sender, dy);
    }
}
