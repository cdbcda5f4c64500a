// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {TokenTransfers} from "../src/TokenTransfers.sol";
import {EkuboKey} from "../src/venues/Ekubo.sol";
import {IDeskToken} from "./DevnetLockDesk.sol";

interface IDeskCore {
    function lock() external;
    function updatePosition(EkuboKey calldata key, bytes32 position, int128 delta) external payable returns (bytes32);
    function startPayments() external;
    function completePayments() external;
    function withdraw() external;
}

/// Gives liquidity to, and swaps on, pools of Ekubo: tokens by approval, native token that came with the call, and what is
/// left of that stays here. For the devnet and tests only: positions belong to the desk.
contract DevnetEkuboDesk {
    uint256 private constant LOWEST = 4611797791050542631;
    uint256 private constant HIGHEST = 79227682466138141934206691491;

    address payable public immutable core;

    constructor(address payable core_) {
        core = core_;
    }

    receive() external payable {}

    /// Adds liquidity, or takes it away where `liquidity` is below zero.
    function modify(EkuboKey calldata key, int32 lower, int32 upper, int128 liquidity) external payable {
        bytes32 position = bytes32(uint256(uint32(lower)) << 32 | uint32(upper));
        _lock(msg.sender, key, abi.encodeCall(IDeskCore.updatePosition, (key, position, liquidity)));
    }

    /// `amount` above zero is sold, below zero bought.
    function swap(EkuboKey calldata key, bool zeroForOne, int128 amount) external payable {
        _lock(msg.sender, key, _swapCall(key, zeroForOne, amount));
    }

    /// Tells what a swap would move, without making it: what both tokens come to, of token 0 in the upper half.
    function quote(EkuboKey calldata key, bool zeroForOne, int128 amount) external returns (bytes32) {
        (bool done, bytes memory reason) = core.call(
            abi.encodePacked(IDeskCore.lock.selector, abi.encode(address(0), key, _swapCall(key, zeroForOne, amount)))
        );
        require(!done, "the swap was made");
        if (reason.length == 32) return abi.decode(reason, (bytes32));
        assembly ("memory-safe") {
            revert(add(reason, 32), mload(reason))
        }
    }

    function locked_6416899205(uint256) external {
        require(msg.sender == core, "not the core");
        (address payer, EkuboKey memory key, bytes memory call) = abi.decode(msg.data[36:], (address, EkuboKey, bytes));
        bytes memory answer = _call(call);
        if (payer == address(0)) {
            assembly ("memory-safe") {
                revert(add(answer, 32), 32)
            }
        }
        int256 update = int256(uint256(bytes32(answer)));
        _settle(payer, key.token0, update >> 128);
        _settle(payer, key.token1, int128(update));
    }

    function _swapCall(EkuboKey calldata key, bool zeroForOne, int128 amount) private pure returns (bytes memory) {
        uint256 params = (zeroForOne ? LOWEST : HIGHEST) << 160 | uint256(uint128(amount)) << 32;
        if (amount > 0 != zeroForOne) params |= 1 << 31;
        return abi.encodePacked(bytes4(0), abi.encode(key, params));
    }

    function _lock(address payer, EkuboKey calldata key, bytes memory call) private {
        _call(abi.encodePacked(IDeskCore.lock.selector, abi.encode(payer, key, call)));
    }

    function _settle(address payer, address token, int256 debt) private {
        if (debt < 0) _call(abi.encodePacked(IDeskCore.withdraw.selector, token, payer, uint128(uint256(-debt))));
        if (debt <= 0) return;
        if (token == address(0)) {
            TokenTransfers.sendNative(core, uint256(debt));
            return;
        }
        _call(abi.encodeWithSelector(IDeskCore.startPayments.selector, token));
        IDeskToken(token).transferFrom(payer, core, uint256(debt));
        _call(abi.encodeWithSelector(IDeskCore.completePayments.selector, token));
    }

    function _call(bytes memory call) private returns (bytes memory answer) {
        bool done;
        (done, answer) = core.call(call);
        if (!done) {
            assembly ("memory-safe") {
                revert(add(answer, 32), mload(answer))
            }
        }
    }
}
