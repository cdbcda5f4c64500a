// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {IERC20} from "@openzeppelin/contracts/interfaces/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {DevnetFluidMath} from "./DevnetFluidMath.sol";

interface IFluidUser {
    function liquidityCallback(address token, uint256 amount, bytes calldata data) external;
}

/// A layer that holds what pools supply and borrow, with the words of Fluid's Liquidity layer where those have them: prices of
/// shares, which grow by time, what each user has, what it may withdraw and borrow, and what all have together. The owner sets
/// words as it likes.
contract DevnetFluidLiquidity {
    using SafeERC20 for IERC20;
    using DevnetFluidMath for uint256;

    error FluidLiquidityError(uint256 errorId);
    error NotTheOwner();

    address internal constant NATIVE = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE;
    uint256 private constant DIGITS = (1 << 64) - 1;
    uint256 private constant YEAR = 365 days;

    address public immutable owner;

    constructor(address owner_) {
        owner = owner_;
    }

    receive() external payable {}

    function set(bytes32[] calldata slots, uint256[] calldata words) external {
        if (msg.sender != owner) revert NotTheOwner();
        for (uint256 i = 0; i < slots.length; ++i) _write(slots[i], words[i]);
    }

    function readFromStorage(bytes32 slot) public view returns (uint256 word) {
        assembly ("memory-safe") {
            word := sload(slot)
        }
    }

    /// What a share of supply and of debt is worth now, twelve decimals: the yearly rate is in the lowest bits.
    function prices(address token) public view returns (uint256 supply, uint256 debt) {
        uint256 word = readFromStorage(slotOf(token, 5));
        uint256 growth = (word & 0xffff) * (block.timestamp - (word >> 58 & 0x1ffffffff));
        (supply, debt) = (word >> 91 & DIGITS, word >> 155 & DIGITS);
        supply += supply * growth / (YEAR * 1e4);
        debt += debt * growth / (YEAR * 1e4);
    }

    /// Takes what is deposited and paid back, pays what is withdrawn and borrowed. What is above zero of `supply` is deposited,
    /// of `debt` borrowed.
    function operate(address token, int256 supply, int256 debt, address to, bytes calldata data) external payable {
        uint256 due = (supply > 0 ? uint256(supply) : 0) + (debt < 0 ? uint256(-debt) : 0);
        if (due != 0 && token != NATIVE) {
            uint256 before = IERC20(token).balanceOf(address(this));
            IFluidUser(msg.sender).liquidityCallback(token, due, data);
            if (IERC20(token).balanceOf(address(this)) < before + due) revert FluidLiquidityError(11010);
        } else if (msg.value < due) {
            revert FluidLiquidityError(11010);
        }
        (uint256 supplyPrice, uint256 debtPrice) = prices(token);
        if (supply != 0) _supply(token, supply, supplyPrice);
        if (debt != 0) _borrow(token, debt, debtPrice);
        uint256 out = (supply < 0 ? uint256(-supply) : 0) + (debt > 0 ? uint256(debt) : 0);
        if (out == 0) return;
        if (token == NATIVE) {
            (bool done,) = to.call{value: out}("");
            if (!done) revert FluidLiquidityError(0);
        } else {
            IERC20(token).safeTransfer(to, out);
        }
    }

    function _supply(address token, int256 amount, uint256 price) private {
        bytes32 slot = slotOf(msg.sender, token, 8);
        uint256 word = readFromStorage(slot);
        if (word >> 255 != 0) revert FluidLiquidityError(11002);
        uint256 held = (word >> 1 & DIGITS).unpacked();
        if (word & 1 == 0) price = 1e12;
        uint256 raw = amount > 0 ? uint256(amount) * 1e12 / price : (uint256(-amount) * 1e12 + price - 1) / price;
        uint256 left = amount > 0 ? held + raw : held - raw;
        if (amount < 0 && left < withdrawalLimit(word, held)) revert FluidLiquidityError(11002);
        _write(slot, word & ~(DIGITS << 1) | left.packed(56, false) << 1);
        _count(token, word & 1 != 0 ? 0 : 64, raw, amount > 0);
    }

    function _borrow(address token, int256 amount, uint256 price) private {
        bytes32 slot = slotOf(msg.sender, token, 9);
        uint256 word = readFromStorage(slot);
        if (word >> 255 != 0) revert FluidLiquidityError(11002);
        uint256 owed = (word >> 1 & DIGITS).unpacked();
        if (word & 1 == 0) price = 1e12;
        uint256 raw = amount > 0 ? (uint256(amount) * 1e12 + price - 1) / price : uint256(-amount) * 1e12 / price;
        uint256 left = amount > 0 ? owed + raw : owed - raw;
        if (amount > 0 && left > borrowLimit(word, owed)) revert FluidLiquidityError(11003);
        _write(slot, word & ~(DIGITS << 1) | left.packed(56, true) << 1);
        _count(token, word & 1 != 0 ? 128 : 192, raw, amount > 0);
    }

    /// Changes what all users together have: supplied in shares at bit 0, plain at bit 64, borrowed in shares at bit 128, plain
    /// at bit 192. Beyond 2^80 nothing is added that is over 10,000 times as much, or taken off that is over half of it.
    function _count(address token, uint256 at, uint256 raw, bool adds) private {
        bytes32 slot = slotOf(token, 7);
        uint256 word = readFromStorage(slot);
        uint256 all = (word >> at & DIGITS).unpacked();
        if (raw > 1 << 80 && raw > (adds ? all * 10_000 : all / 2)) revert FluidLiquidityError(11017);
        all = adds ? all + raw : all > raw ? all - raw : 0;
        _write(slot, word & ~(DIGITS << at) | all.packed(56, at > 64) << at);
    }

    /// What has to stay supplied: the last limit, going down by time by a part of what is held.
    function withdrawalLimit(uint256 word, uint256 held) public view returns (uint256 limit) {
        uint256 last = (word >> 65 & DIGITS).unpacked();
        if (last == 0) return 0;
        uint256 most = (word >> 162 & 0x3fff) * held / 1e4;
        uint256 freed = most * (block.timestamp - (word >> 129 & 0x1ffffffff)) / (word >> 176 & 0xffffff);
        limit = last > freed ? last - freed : 0;
        if (limit < held - most) limit = held - most;
    }

    /// What may be owed: the last limit, going up by time by a part of what is owed, between two bounds.
    function borrowLimit(uint256 word, uint256 owed) public view returns (uint256 limit) {
        uint256 most = (word >> 162 & 0x3fff) * owed / 1e4;
        limit = (word >> 65 & DIGITS).unpacked()
            + most * (block.timestamp - (word >> 129 & 0x1ffffffff)) / (word >> 176 & 0xffffff);
        if (limit > owed + most) limit = owed + most;
        uint256 base = (word >> 200 & 0x3ffff).unpacked();
        if (limit < base) return base;
        uint256 ceiling = (word >> 218 & 0x3ffff).unpacked();
        if (limit > ceiling) limit = ceiling;
    }

    function slotOf(address token, uint256 map) public pure returns (bytes32) {
        return keccak256(abi.encode(token, map));
    }

    function slotOf(address user, address token, uint256 map) public pure returns (bytes32) {
        return keccak256(abi.encode(token, keccak256(abi.encode(user, map))));
    }

    function _write(bytes32 slot, uint256 word) private {
        assembly ("memory-safe") {
            sstore(slot, word)
        }
    }
}
