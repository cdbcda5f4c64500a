// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {IERC20} from "@openzeppelin/contracts/interfaces/IERC20.sol";
import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {DevnetFluidLiquidity} from "./DevnetFluidLiquidity.sol";
import {DevnetFluidMath} from "./DevnetFluidMath.sol";

/// A pool with the interface, words and formulas of Fluid's DEX T1: collateral, debt or both at a Liquidity layer. Its centre's
/// price stays where the owner puts it.
contract DevnetFluidPool {
    using SafeERC20 for IERC20;
    using DevnetFluidMath for uint256;

    event Swap(bool swap0to1, uint256 amountIn, uint256 amountOut, address to);

    error FluidDexError(uint256 errorId);
    error FluidDexSwapResult(uint256 amount);
    error NotTheOwner();

    uint256 private constant LEAST = 1e6;
    address private constant NATIVE = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE;
    address private constant NOBODY = 0x000000000000000000000000000000000000dEaD;

    /// Bit 1: the price before the last one, bit 41: the last price, bit 81: the centre's, bit 121: when it was traded last.
    uint256 private prices;
    /// Collateral, debt, fee at bit 2, cut at bit 19, range at bits 27 and 47, most used of either token at bits 228 and 238.
    uint256 private terms;

    address public immutable owner;
    address public immutable token0;
    address public immutable token1;
    DevnetFluidLiquidity public immutable liquidity;
    uint256 private immutable up0;
    uint256 private immutable down0;
    uint256 private immutable up1;
    uint256 private immutable down1;

    /// A side of the pool in one swap.
    struct Side {
        uint256 realIn;
        uint256 realOut;
        uint256 sold;
        uint256 bought;
        uint256 amountIn;
        uint256 amountOut;
    }

    constructor(DevnetFluidLiquidity liquidity_, address one, address other, address owner_) {
        (liquidity, owner) = (liquidity_, owner_);
        (token0, token1) = one < other ? (one, other) : (other, one);
        (up0, down0) = _scale(token0);
        (up1, down1) = _scale(token1);
    }

    receive() external payable {}

    function set(uint256 prices_, uint256 terms_) external {
        if (msg.sender != owner) revert NotTheOwner();
        (prices, terms) = (prices_, terms_);
    }

    function readFromStorage(bytes32 slot) external view returns (uint256 word) {
        assembly ("memory-safe") {
            word := sload(slot)
        }
    }

    function constantsView2() external view returns (uint256, uint256, uint256, uint256) {
        return (up0, down0, up1, down1);
    }

    /// The last price, the centre's, the range of prices, its mean, and what shares are worth: supply and debt of either token.
    function pricesNow() public view returns (uint256[9] memory now_) {
        DevnetFluidMath.Range memory range = _range();
        now_[0] = (prices >> 41 & 0xffffffffff).unpacked();
        now_[1] = (prices >> 81 & 0xffffffffff).unpacked();
        (now_[2], now_[3], now_[4]) = (range.upper, range.lower, range.mean);
        (now_[5], now_[6]) = liquidity.prices(token0);
        (now_[7], now_[8]) = liquidity.prices(token1);
    }

    function swapIn(bool swap0to1, uint256 amountIn, uint256 amountOutMin, address to)
        external
        payable
        returns (uint256 amountOut)
    {
        uint256 amount = _scaled(swap0to1, amountIn);
        _checkSize(amount, amountIn);
        Side[2] memory sides = _sides(swap0to1);
        if (amount > (sides[0].sold + sides[1].sold) / 2) revert FluidDexError(51045);
        uint256 first = _first(sides, amount, true);
        (sides[0].amountIn, sides[1].amountIn) = (first, amount - first);
        for (uint256 i = 0; i < 2; ++i) {
            uint256 net = sides[i].amountIn * (1e6 - _fee()) / 1e6;
            if (net != 0) sides[i].amountOut = net * sides[i].bought / (sides[i].sold + net);
        }
        uint256[2] memory kept = [_kept(sides[0].amountIn), _kept(sides[1].amountIn)];
        _check(sides, swap0to1, kept[0] > kept[1] ? 0 : 1);
        for (uint256 i = 0; i < 2; ++i) sides[i].amountOut = _unscaled(!swap0to1, sides[i].amountOut);
        amountOut = sides[0].amountOut + sides[1].amountOut;
        if (to == NOBODY) revert FluidDexSwapResult(amountOut);
        if (amountOut < amountOutMin) revert FluidDexError(51010);
        if (msg.value != 0 && msg.value != amountIn) revert FluidDexError(51007);
        _settle(swap0to1, sides, kept, amountIn, to);
        emit Swap(swap0to1, amountIn, amountOut, to);
    }

    function swapOut(bool swap0to1, uint256 amountOut, uint256 amountInMax, address to)
        external
        payable
        returns (uint256 amountIn)
    {
        uint256 amount = _scaled(!swap0to1, amountOut);
        _checkSize(amount, amountOut);
        Side[2] memory sides = _sides(swap0to1);
        if (amount > (sides[0].bought + sides[1].bought) / 2) revert FluidDexError(51046);
        uint256 first = _first(sides, amount, false);
        (sides[0].amountOut, sides[1].amountOut) = (first, amount - first);
        for (uint256 i = 0; i < 2; ++i) {
            if (sides[i].amountOut == 0) continue;
            uint256 net = sides[i].amountOut * sides[i].sold / (sides[i].bought - sides[i].amountOut);
            sides[i].amountIn = net * 1e6 / (1e6 - _fee());
        }
        _check(sides, swap0to1, sides[0].amountOut > sides[1].amountOut ? 0 : 1);
        uint256[2] memory kept = [_kept(sides[0].amountIn), _kept(sides[1].amountIn)];
        amountIn = _unscaled(swap0to1, sides[0].amountIn + sides[1].amountIn);
        if (to == NOBODY) revert FluidDexSwapResult(amountIn);
        if (amountIn > amountInMax) revert FluidDexError(51044);
        if (msg.value != 0 && msg.value != amountInMax) revert FluidDexError(51007);
        for (uint256 i = 0; i < 2; ++i) sides[i].amountOut = _unscaled(!swap0to1, sides[i].amountOut);
        _settle(swap0to1, sides, kept, amountIn, to);
        if (msg.value > amountIn) {
            (bool done,) = msg.sender.call{value: msg.value - amountIn}("");
            if (!done) revert FluidDexError(0);
        }
        emit Swap(swap0to1, amountIn, amountOut, to);
    }

    /// The layer asks for what a swap pays in.
    function liquidityCallback(address token, uint256, bytes calldata data) external {
        if (msg.sender != address(liquidity)) revert FluidDexError(51037);
        (uint256 amount, address from) = abi.decode(data, (uint256, address));
        IERC20(token).safeTransferFrom(from, address(liquidity), amount);
    }

    function _settle(bool swap0to1, Side[2] memory sides, uint256[2] memory kept, uint256 amountIn, address to) private {
        (address sold, address bought) = swap0to1 ? (token0, token1) : (token1, token0);
        (int256 deposit, int256 repaid) =
            (int256(_unscaled(swap0to1, kept[0])), int256(_unscaled(swap0to1, kept[1])));
        bytes memory data = abi.encode(amountIn, msg.sender);
        liquidity.operate{value: sold == NATIVE ? amountIn : 0}(sold, deposit, -repaid, address(0), data);
        liquidity.operate(bought, -int256(sides[0].amountOut), int256(sides[1].amountOut), to, "");
    }

    /// Both sides as a swap sees them; nothing of those that are switched off.
    function _sides(bool swap0to1) private view returns (Side[2] memory sides) {
        if (terms >> 255 != 0) revert FluidDexError(51043);
        uint256[9] memory now_ = pricesNow();
        DevnetFluidMath.Range memory range = _range();
        (uint256 i, uint256 o) = swap0to1 ? (0, 1) : (1, 0);
        for (uint256 side = 0; side < 2; ++side) {
            if (terms >> side & 1 == 0) continue;
            uint256[2] memory amounts = [_amount(token0, true, side, now_[5 + side]), _amount(token1, false, side, now_[7 + side])];
            DevnetFluidMath.Reserves memory reserves =
                side == 0 ? DevnetFluidMath.ofCollateral(range, amounts) : DevnetFluidMath.ofDebt(range, amounts);
            sides[side] =
                Side(reserves.real[i], reserves.real[o], reserves.imaginary[i], reserves.imaginary[o], 0, 0);
        }
    }

    function _amount(address token, bool is0, uint256 side, uint256 price) private view returns (uint256 amount) {
        uint256 word = liquidity.readFromStorage(liquidity.slotOf(address(this), token, 8 + side));
        amount = (word >> 1 & (1 << 64) - 1).unpacked();
        if (word & 1 != 0) amount = amount * price / 1e12;
        return _scaled(is0, amount);
    }

    /// The part of the collateral, so that both sides end with one price.
    function _first(Side[2] memory sides, uint256 amount, bool isSold) private pure returns (uint256) {
        if (sides[1].sold == 0) return amount;
        if (sides[0].sold == 0) return 0;
        uint256 root0 = DevnetFluidMath.root(sides[0].sold * sides[0].bought * 1e18);
        uint256 root1 = DevnetFluidMath.root(sides[1].sold * sides[1].bought * 1e18);
        int256 apart = isSold
            ? int256(sides[1].sold * root0) - int256(sides[0].sold * root1)
            : int256(sides[0].bought * root1) - int256(sides[1].bought * root0);
        int256 part = (int256(amount * root0) + apart) / int256(root0 + root1);
        if (part <= 0) return 0;
        return uint256(part) < amount ? uint256(part) : amount;
    }

    /// No reserve may become too small beside the other, and the price may not move too far.
    function _check(Side[2] memory sides, bool swap0to1, uint256 by) private view {
        uint256 center = (prices >> 81 & 0xffffffffff).unpacked();
        for (uint256 i = 0; i < 2; ++i) {
            if (sides[i].amountIn == 0) continue;
            uint256 more = sides[i].realIn + sides[i].amountIn;
            uint256 least = swap0to1 ? more * center / 1e31 : more * 1e27 / (center * 1e4);
            if (sides[i].realOut - sides[i].amountOut < least) revert FluidDexError(51006);
        }
        (uint256 in_, uint256 out) =
            (sides[by].sold + _kept(sides[by].amountIn), sides[by].bought - sides[by].amountOut);
        uint256 price = swap0to1 ? out * 1e27 / in_ : in_ * 1e27 / out;
        int256 apart = 1e18 - int256((prices >> 41 & 0xffffffffff).unpacked() * 1e18 / price);
        if (apart > 5e16 || apart < -5e16) revert FluidDexError(51040);
    }

    function _checkSize(uint256 amount, uint256 units) private pure {
        if (amount < LEAST || amount > type(uint96).max || units < 100 || units > type(uint128).max) {
            revert FluidDexError(51049);
        }
    }

    function _range() private view returns (DevnetFluidMath.Range memory) {
        return DevnetFluidMath.rangeOf(
            (prices >> 81 & 0xffffffffff).unpacked(), terms >> 27 & 0xfffff, terms >> 47 & 0xfffff
        );
    }

    function _fee() private view returns (uint256) {
        return terms >> 2 & 0x1ffff;
    }

    /// What of an input stays in the pool.
    function _kept(uint256 amount) private view returns (uint256) {
        return amount * (1e8 - (terms >> 19 & 0x7f) * _fee()) / 1e8;
    }

    function _scaled(bool is0, uint256 amount) private view returns (uint256) {
        return is0 ? amount * up0 / down0 : amount * up1 / down1;
    }

    function _unscaled(bool is0, uint256 amount) private view returns (uint256) {
        return is0 ? amount * down0 / up0 : amount * down1 / up1;
    }

    function _scale(address token) private view returns (uint256, uint256) {
        uint256 decimals = token == NATIVE ? 18 : IERC20Metadata(token).decimals();
        return decimals > 12 ? (uint256(1), 10 ** (decimals - 12)) : (10 ** (12 - decimals), uint256(1));
    }
}
