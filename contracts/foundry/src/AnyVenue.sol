// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {NATIVE_TOKEN, TokenTransfers} from "../../src/TokenTransfers.sol";
import {FundManagement, SingleSwap, BatchSwapStep} from "../../src/venues/BalancerV2.sol";
import {BufferWrapOrUnwrapParams, VaultSwapParams} from "../../src/venues/BalancerV3.sol";
import {InfinityKey} from "../../src/venues/Infinity.sol";
import {PoolKey, SwapParams} from "../../src/venues/UniswapV4.sol";
import {IToken} from "./Doors.sol";
import {DrawingVenue} from "./DrawingVenue.sol";

struct MaverickParams {
    uint256 amount;
    bool tokenAIn;
    bool exactOutput;
    int32 tickLimit;
}

interface ICalledBack {
    function maverickV2SwapCallback(address tokenIn, uint256 amountIn, uint256 amountOut, bytes calldata data) external;
    function unlockCallback(bytes calldata data) external returns (bytes memory);
    function lockAcquired(bytes calldata data) external returns (bytes memory);
}

/// A venue of every kind, one to one between two tokens that it has plenty of: honest until it is told to ask for another
/// amount than is due, to pay out another, to say another, or to make calls of its own while it trades.
contract AnyVenue is DrawingVenue {
    using TokenTransfers for address;

    /// By which callback it asks to be paid as a concentrated pool; zero: it does not ask.
    bytes4 private callback;
    /// Whether `unlock` is Balancer's, which calls with what it is given, or Uniswap's.
    bool private isBalancer;
    /// What a pair of bins knows to be here; what is beyond was sold to it.
    mapping(address token => uint256) private known;

    /// Swaps under a lock that are not settled yet, and what is settled next.
    int256 private owing;
    address private synced;
    bool private isSynced;

    constructor(address token0_, address token1_) DrawingVenue(token0_, token1_) {}

    function speak(bytes4 callback_, bool isBalancer_) external {
        (callback, isBalancer) = (callback_, isBalancer_);
        _count();
    }

    /// What it is asked for, of one that keeps it.
    function _note(bytes memory) internal virtual {}

    // -------------------------------------------------------------------------------- pairs: reserves of one to one

    function getReserves() external view returns (uint112, uint112, uint32) {
        return (type(uint112).max / 2, type(uint112).max / 2, uint32(block.timestamp));
    }

    function getAmountOut(uint256 amountIn, address) external view returns (uint256) {
        return _biased(amountIn, said);
    }

    function swap(uint256 amount0, uint256 amount1, address to, bytes calldata) external {
        _makeMischief();
        if (amount0 != 0) _pay(token0, to, amount0);
        if (amount1 != 0) _pay(token1, to, amount1);
    }

    // ------------------------------------------------------------------------------ pairs of bins, X being token 0

    function getSwapIn(uint128 amountOut, bool swapForY) external view returns (uint128, uint128, uint128) {
        uint256 held = IToken(swapForY ? token1 : token0).balanceOf(address(this));
        uint256 left = amountOut > held ? amountOut - held : 0;
        return (uint128(_biased(amountOut, previewed)), uint128(left), 0);
    }

    function swap(bool swapForY, address to) external returns (bytes32) {
        _makeMischief();
        (address sold, address bought) = swapForY ? (token0, token1) : (token1, token0);
        uint256 amount = IToken(sold).balanceOf(address(this)) - known[sold];
        _pay(bought, to, amount);
        _count();
        uint256 told = uint128(_biased(amount, said));
        return bytes32(swapForY ? told << 128 : told);
    }

    // ------------------------------------------------ pools paid before they are called, the base token being token 0

    function swap(address sold, address bought, uint256 amount, uint256, address to, address) external returns (uint256) {
        _makeMischief();
        require(IToken(sold).balanceOf(address(this)) - known[sold] >= amount, "unpaid");
        _pay(bought, to, amount);
        _count();
        return _biased(amount, said);
    }

    function computeQuote(address, address, uint256 amount, bool) external view returns (uint256) {
        return _biased(amount, previewed);
    }

    function sellBase(address to) external returns (uint256) {
        return _sellPaid(token0, token1, to);
    }

    function sellQuote(address to) external returns (uint256) {
        return _sellPaid(token1, token0, to);
    }

    function _sellPaid(address sold, address bought, address to) private returns (uint256) {
        _makeMischief();
        uint256 amount = IToken(sold).balanceOf(address(this)) - known[sold];
        _pay(bought, to, amount);
        _count();
        return _biased(amount, said);
    }

    function _count() private {
        known[token0] = IToken(token0).balanceOf(address(this));
        known[token1] = IToken(token1).balanceOf(address(this));
    }

    // ------------------------- pools of Maverick V2, token A being token 0: paid before, or by who is told what it costs

    function swap(address to, MaverickParams calldata params, bytes calldata data) external returns (uint256, uint256) {
        _makeMischief();
        (address sold, address bought) = params.tokenAIn ? (token0, token1) : (token1, token0);
        uint256 amount = params.amount;
        _pay(bought, to, amount);
        if (data.length != 0) {
            ICalledBack(msg.sender).maverickV2SwapCallback(sold, _biased(amount, previewed), amount, data);
        }
        require(IToken(sold).balanceOf(address(this)) - known[sold] >= amount, "unpaid");
        _count();
        return (amount, _biased(amount, said));
    }

    // -------------------------------------------------------------------------------------------- concentrated pools

    function swap(address to, bool zeroForOne, int256 amount, uint160 limit, bytes calldata data)
        external
        returns (int256, int256)
    {
        _note(abi.encode(zeroForOne, amount, limit));
        _makeMischief();
        uint256 size = uint256(amount > 0 ? amount : -amount);
        uint256 owed = _biased(size, asked);
        _pay(zeroForOne ? token1 : token0, to, size);
        (int256 in_, int256 out) = (int256(owed), -int256(_biased(size, said)));
        if (callback != 0) {
            (int256 amount0, int256 amount1) = zeroForOne ? (in_, out) : (out, in_);
            (bool done, bytes memory reason) =
                msg.sender.call(abi.encodeWithSelector(callback, amount0, amount1, data));
            if (!done) _passOn(reason);
        }
        return zeroForOne ? (int256(size), out) : (out, int256(size));
    }

    // --------------------------------------------------------------------------------------------------------- locks

    function unlock(bytes calldata data) external returns (bytes memory answer) {
        _makeMischief();
        if (!isBalancer) {
            answer = ICalledBack(msg.sender).unlockCallback(data);
        } else {
            bool done;
            (done, answer) = msg.sender.call(data);
            if (!done) _passOn(answer);
        }
        require(owing == 0, "not settled");
    }

    /// As Uniswap V4's manager.
    function swap(PoolKey calldata, SwapParams calldata params, bytes calldata) external virtual returns (int256) {
        return _swapInLock(params);
    }

    /// As PancakeSwap Infinity's Vault and manager.
    function lock(bytes calldata data) external returns (bytes memory answer) {
        _makeMischief();
        answer = ICalledBack(msg.sender).lockAcquired(data);
        require(owing == 0, "not settled");
    }

    function vault() external view virtual returns (address) {
        return address(this);
    }

    function swap(InfinityKey calldata, SwapParams calldata params, bytes calldata) external virtual returns (int256) {
        return _swapInLock(params);
    }

    function swap(InfinityKey calldata, bool xForY, int128 amount, bytes calldata) external virtual returns (int256) {
        return _swapInLock(SwapParams(xForY, amount, 0));
    }

    /// Has what is owed for a swap settled before the lock ends.
    function owe() external {
        ++owing;
    }

    function _swapInLock(SwapParams memory params) internal returns (int256) {
        _note(abi.encode(params));
        _makeMischief();
        AnyVenue(payable(this.vault())).owe();
        int256 amount = params.amountSpecified < 0 ? -params.amountSpecified : params.amountSpecified;
        int256 owed = -int256(_biased(uint256(amount), asked));
        int256 gained = int256(_biased(uint256(amount), said));
        (int256 delta0, int256 delta1) = params.zeroForOne ? (owed, gained) : (gained, owed);
        return (delta0 << 128) | int256(uint256(uint128(uint256(delta1))));
    }

    function sync(address currency) external {
        (synced, isSynced) = (currency, true);
    }

    function settle() external payable returns (uint256) {
        require(isSynced && (synced == address(0)) == (msg.value != 0), "another currency was synced");
        (isSynced, owing) = (false, owing - 1);
        _makeMischief();
        return msg.value;
    }

    function take(address currency, address to, uint256 amount) external {
        _pay(currency == address(0) ? NATIVE_TOKEN : currency, to, amount);
    }

    /// As Balancer V3's vault.
    function swap(VaultSwapParams calldata params) external returns (uint256, uint256, uint256) {
        _note(abi.encode(params));
        _makeMischief();
        ++owing;
        uint256 amount = params.amountGivenRaw;
        return (amount, _biased(amount, asked), _biased(amount, said));
    }

    function erc4626BufferWrapOrUnwrap(BufferWrapOrUnwrapParams calldata params)
        external
        returns (uint256, uint256, uint256)
    {
        _note(abi.encode(params));
        _makeMischief();
        ++owing;
        return (params.amountGivenRaw, params.amountGivenRaw, _biased(params.amountGivenRaw, said));
    }

    function settle(address, uint256 hint) external returns (uint256) {
        --owing;
        return hint;
    }

    function sendTo(address token, address to, uint256 amount) external {
        _makeMischief();
        _pay(token, to, amount);
    }

    /// As Balancer V2's vault.
    function swap(SingleSwap calldata singleSwap, FundManagement calldata funds, uint256 limit, uint256 deadline)
        external
        returns (uint256)
    {
        _note(abi.encode(singleSwap, funds, limit, deadline));
        _draw(singleSwap.assetIn, singleSwap.amount);
        _pay(singleSwap.assetOut, funds.recipient, singleSwap.amount);
        return _biased(singleSwap.amount, said);
    }

    function queryBatchSwap(
        uint8 kind,
        BatchSwapStep[] calldata swaps,
        address[] calldata assets,
        FundManagement calldata funds
    ) external view returns (int256[] memory deltas) {
        require(kind == 1 && swaps.length == 1 && assets.length == 2, "one swap of an exact output");
        require(swaps[0].assetInIndex == 0 && swaps[0].assetOutIndex == 1, "from the first to the second");
        (address first, address second) = assets[0] == _coin(0) ? (_coin(0), _coin(1)) : (_coin(1), _coin(0));
        require(assets[0] == first && assets[1] == second, "its two tokens");
        require(funds.sender == msg.sender && funds.recipient == msg.sender, "by who asks");
        deltas = new int256[](2);
        (deltas[0], deltas[1]) = (int256(_biased(swaps[0].amount, previewed)), -int256(swaps[0].amount));
    }
}
