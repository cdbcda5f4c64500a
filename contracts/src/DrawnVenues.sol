// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {IERC20, NATIVE_TOKEN, TokenTransfers} from "./TokenTransfers.sol";
import {
    BatchSwapStep,
    FundManagement,
    IBalancerV2Vault,
    ICurveCryptoPool,
    ICurveListPool,
    ICurvePool,
    IPsm,
    IRateToken,
    IVault,
    SingleSwap
} from "./Venues.sol";

/// A venue drew less than it was to sell, or a pool sold less than it was asked for.
error PartialFill(address pool);
error InvalidPayload();

/// Venues that draw what is sold from their caller: each gets an approval of exactly that, and nothing of it is left
/// open. What is sold is here already.
library DrawnVenues {
    using TokenTransfers for address;

    uint256 private constant WAD = 1e18;

    uint256 private constant CURVE_EXCHANGE = 0;
    uint256 private constant CURVE_CRYPTO_EXCHANGE = 1;
    uint256 private constant CURVE_UNDERLYING_EXCHANGE = 2;
    uint256 private constant CURVE_ADD = 3;
    uint256 private constant CURVE_ADD_LIST = 4;
    uint256 private constant CURVE_REMOVE = 5;

    /// Curve's pools; the oldest of them neither name a receiver nor say what they paid. `call`: which of their functions
    /// (1 byte), the numbers of the coins sold and bought (1 byte each). Where a coin is added for shares, the second number
    /// is how many coins the pool has; where one is removed, the first has no meaning. Native token is sent along.
    function exchangeOnCurve(address pool, uint256 call, address sold, address bought, uint256 amount, address to)
        internal
        returns (uint256 got)
    {
        uint256 before = bought.balanceOf(address(this));
        (uint256 kind, uint256 i, uint256 j) = (call >> 16, uint8(call >> 8), uint8(call));
        (int128 signedI, int128 signedJ) = (int128(uint128(i)), int128(uint128(j)));
        if (kind == CURVE_REMOVE) {
            // A pool burns shares of its own without an approval.
            uint256 held = sold.balanceOf(address(this));
            ICurvePool(pool).remove_liquidity_one_coin(amount, signedJ, 0);
            if (sold.balanceOf(address(this)) + amount != held) revert PartialFill(pool);
            return _passOn(bought, before, to);
        }
        uint256 value = sold == NATIVE_TOKEN ? amount : 0;
        if (value == 0) sold.approve(pool, amount);
        if (kind == CURVE_EXCHANGE) ICurvePool(pool).exchange{value: value}(signedI, signedJ, amount, 0);
        else if (kind == CURVE_CRYPTO_EXCHANGE) ICurveCryptoPool(pool).exchange(i, j, amount, 0);
        else if (kind == CURVE_UNDERLYING_EXCHANGE) ICurvePool(pool).exchange_underlying(signedI, signedJ, amount, 0);
        else if (kind == CURVE_ADD || kind == CURVE_ADD_LIST) _addOnCurve(pool, kind == CURVE_ADD_LIST, i, j, amount, value);
        else revert InvalidPayload();
        if (value == 0) assertDrawn(sold, pool);
        got = _passOn(bought, before, to);
    }

    /// Adds one of a pool's coins. An array of fixed length has a selector of its own for each.
    function _addOnCurve(address pool, bool list, uint256 coin, uint256 coins, uint256 amount, uint256 value) private {
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

    /// Into an ERC-4626 vault for its shares, or out of it with them.
    function sellToVault(address vault, address sold, address bought, uint256 amount, address to)
        internal
        returns (uint256 got)
    {
        if (sold == vault) return IVault(vault).redeem(amount, to, address(this));
        if (bought != vault) revert InvalidPayload();
        sold.approve(vault, amount);
        got = IVault(vault).deposit(amount, to);
        assertDrawn(sold, vault);
    }

    /// Into a token that stands for another at a rate, or out of it.
    function convertAtRate(address token, address sold, address bought, uint256 amount, address to)
        internal
        returns (uint256 got)
    {
        uint256 before = bought.balanceOf(address(this));
        if (sold == token) {
            IRateToken(token).unwrap(amount);
        } else {
            if (bought != token) revert InvalidPayload();
            sold.approve(token, amount);
            IRateToken(token).wrap(amount);
            assertDrawn(sold, token);
        }
        got = _passOn(bought, before, to);
    }

    // ---------------------------------------------------------------------------------------------------- PSM

    /// The most gem that `dai` pays for, and what that costs.
    function gemFor(address psm, uint256 dai) internal view returns (uint256 gem, uint256 cost) {
        uint256 fee = IPsm(psm).tout();
        uint256 unit = IPsm(psm).to18ConversionFactor();
        gem = ((dai + 1) * WAD - 1) / (WAD + fee) / unit;
        cost = gem * unit;
        cost += cost * fee / WAD;
    }

    /// What `gem` costs in dai.
    function costOfGem(address psm, uint256 gem) internal view returns (uint256 cost) {
        cost = gem * IPsm(psm).to18ConversionFactor();
        cost += cost * IPsm(psm).tout() / WAD;
    }

    /// The least gem that brings `dai`.
    function gemThatBrings(address psm, uint256 dai) internal view returns (uint256) {
        uint256 unit = IPsm(psm).to18ConversionFactor();
        uint256 gross = (dai - 1) * WAD / (WAD - IPsm(psm).tin()) + 1;
        return (gross + unit - 1) / unit;
    }

    /// Sells `gem` for dai.
    function sellGem(address psm, address sold, address bought, uint256 gem, address to) internal returns (uint256) {
        uint256 before = bought.balanceOf(to);
        sold.approve(psm, gem);
        IPsm(psm).sellGem(to, gem);
        assertDrawn(sold, psm);
        return bought.balanceOf(to) - before;
    }

    /// Buys `gem` for `cost` of dai.
    function buyGem(address psm, address sold, uint256 cost, uint256 gem, address to) internal {
        sold.approve(psm, cost);
        IPsm(psm).buyGem(to, gem);
        assertDrawn(sold, psm);
    }

    // -------------------------------------------------------------------------------------------- Balancer V2

    /// Sells or, with `kind` 1, buys `amount`; pays at most `most`, which is exactly what is drawn.
    function swapOnBalancerV2(
        address vault,
        bytes32 poolId,
        uint256 kind,
        address sold,
        address bought,
        uint256 amount,
        uint256 most,
        address to
    ) internal returns (uint256 calculated) {
        SingleSwap memory singleSwap = SingleSwap(poolId, uint8(kind), sold, bought, amount, "");
        FundManagement memory funds = FundManagement(address(this), false, to, false);
        // Pools' own share tokens allow the vault everything anyway, and cannot be told otherwise.
        bool approves = IERC20(sold).allowance(address(this), vault) < most;
        if (approves) sold.approve(vault, most);
        uint256 limit = kind == 0 ? 0 : most;
        calculated = IBalancerV2Vault(vault).swap(singleSwap, funds, limit, block.timestamp);
        if (approves) assertDrawn(sold, vault);
        else if (kind == 1 && calculated != most) revert PartialFill(vault);
    }

    /// What `amount` costs now. The vault tries the swap and takes it back.
    function costOnBalancerV2(address vault, bytes32 poolId, address sold, address bought, uint256 amount)
        internal
        returns (uint256)
    {
        BatchSwapStep[] memory swaps = new BatchSwapStep[](1);
        swaps[0] = BatchSwapStep(poolId, 0, 1, amount, "");
        address[] memory assets = new address[](2);
        (assets[0], assets[1]) = (sold, bought);
        FundManagement memory funds = FundManagement(address(this), false, address(this), false);
        int256 cost = IBalancerV2Vault(vault).queryBatchSwap(1, swaps, assets, funds)[0];
        if (cost < 0) revert PartialFill(vault);
        return uint256(cost);
    }

    // -------------------------------------------------------------------------------------------------------

    /// An approval is of exactly what is sold, and nothing of it is left open.
    function assertDrawn(address token, address spender) internal view {
        if (IERC20(token).allowance(address(this), spender) != 0) revert PartialFill(spender);
    }

    /// Brings what came in of `token` to `to`.
    function _passOn(address token, uint256 before, address to) private returns (uint256 got) {
        got = token.balanceOf(address(this)) - before;
        if (to != address(this)) token.send(to, got);
    }
}
