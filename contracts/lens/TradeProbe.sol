// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

interface IToken {
    function balanceOf(address owner) external view returns (uint256);
}

/// A taker for eth_call and debug_traceCall: a state override puts this code at an address that holds what is sold. It is
/// never deployed. It approves, sends one transaction and tells what that did to the balances.
contract TradeProbe {
    struct Trade {
        address sellToken;
        /// What `spender` may take; nothing is approved where the native token is sold.
        uint256 maxSellAmount;
        address spender;
        address buyToken;
        /// Whose balance of the bought token is looked at.
        address recipient;
        address to;
        uint256 value;
        bytes data;
    }

    struct Outcome {
        /// What this address held of the sold token before.
        uint256 held;
        bool succeeded;
        /// What the transaction returned, or reverted with.
        bytes answer;
        uint256 heldAfter;
        uint256 boughtBefore;
        uint256 boughtAfter;
        /// Unix seconds of the block that all of this ran in.
        uint256 time;
    }

    address private constant NATIVE_TOKEN = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE;

    /// What was sold for the native token comes here, and what is left of it.
    receive() external payable {}

    function run(Trade calldata trade) external returns (Outcome memory outcome) {
        outcome.time = block.timestamp;
        if (trade.sellToken != NATIVE_TOKEN) {
            // A token may return nothing, and the trade itself shows whether this has worked.
            (bool approved,) =
                trade.sellToken.call(abi.encodeWithSignature("approve(address,uint256)", trade.spender, trade.maxSellAmount));
            approved;
        }
        outcome.held = _balance(trade.sellToken, address(this));
        outcome.boughtBefore = _balance(trade.buyToken, trade.recipient);
        (outcome.succeeded, outcome.answer) = trade.to.call{value: trade.value}(trade.data);
        outcome.heldAfter = _balance(trade.sellToken, address(this));
        outcome.boughtAfter = _balance(trade.buyToken, trade.recipient);
    }

    function _balance(address token, address owner) private view returns (uint256) {
        return token == NATIVE_TOKEN ? owner.balance : IToken(token).balanceOf(owner);
    }
}
