// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

interface IQuotedFactory {
    function poolByPair(address a, address b) external view returns (address);
}

interface IQuotedPool {
    function globalState() external view;
    function swap(address recipient, bool zeroForOne, int256 amount, uint160 limit, bytes calldata data) external;
}

/// Answers as Algebra's Quoter does what a swap in this block would buy and the fee that it would pay, for pools with one fee
/// and for those with one for each direction.
contract AlgebraQuoter {
    error Tried(uint256 bought, uint16 fee);

    uint160 private constant LOWEST = 4295128740;
    uint160 private constant HIGHEST = 1461446703485210103287273052203988822378723970341;
    /// Bytes of `globalState()` where there are two fees.
    uint256 private constant DIRECTIONAL = 8 * 32;

    IQuotedFactory private immutable factory;

    constructor(IQuotedFactory factory_) {
        factory = factory_;
    }

    /// `limit`: the price at which to stop, 0 for none.
    function quoteExactInputSingle(address sold, address bought, uint256 amount, uint160 limit)
        external
        returns (uint256 amountOut, uint16 fee)
    {
        bool zeroForOne = sold < bought;
        if (limit == 0) limit = zeroForOne ? LOWEST : HIGHEST;
        IQuotedPool pool = IQuotedPool(factory.poolByPair(sold, bought));
        try pool.swap(address(this), zeroForOne, int256(amount), limit, "") {
            revert("the pool did not ask to be paid");
        } catch (bytes memory reason) {
            bool known = reason.length == 68 && bytes4(reason) == Tried.selector;
            assembly ("memory-safe") {
                if iszero(known) { revert(add(reason, 32), mload(reason)) }
                amountOut := mload(add(reason, 36))
                fee := mload(add(reason, 68))
            }
        }
    }

    /// Takes the swap back by reverting with what it came to.
    function algebraSwapCallback(int256 amount0, int256 amount1, bytes calldata) external view {
        require(amount0 > 0 || amount1 > 0, "nothing was sold");
        bool zeroForOne = amount0 > 0;
        (, bytes memory state) = msg.sender.staticcall(abi.encodeCall(IQuotedPool.globalState, ()));
        uint256 feeWord = state.length == DIRECTIONAL && !zeroForOne ? 3 : 2;
        uint16 fee;
        assembly ("memory-safe") {
            fee := and(mload(add(add(state, 32), shl(5, feeWord))), 0xffff)
        }
        revert Tried(uint256(-(zeroForOne ? amount1 : amount0)), fee);
    }
}
