// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {IGateway} from "./ExecutorState.sol";
import {Fill, InvalidPayload, PartialFill} from "./Payload.sol";
import {IERC20, TokenTransfers} from "./TokenTransfers.sol";
import {LockedSwap} from "./venues/UniswapV4.sol";

/// One trade as the executor hands it to a part.
struct Trade {
    Fill fill;
    address sold;
    address bought;
    /// What is sold; where a certain output is wanted, what is bought.
    uint256 amount;
    address to;
    address gateway;
    /// Whether the gateway draws what is sold from the seller, or it is here.
    bool fromSeller;
}

/// A part of the executor stands at a CREATE2 address of its own. The executor knows that address at compile time and runs
/// the part's code as its own, so that a part has its balances and approvals and nothing else: no storage of any kind, no
/// call whose target, function and arguments a caller chooses, no code of others run as its own.
abstract contract Part {
    error CalledDirectly();

    address internal immutable part = address(this);

    modifier delegated() {
        if (address(this) == part) revert CalledDirectly();
        _;
    }
}

/// A family of venues that is paid what it draws or is sent, and trades at once.
abstract contract VenuePart is Part {
    using TokenTransfers for address;

    /// Sells `trade.amount`, or what of it the venue can take; the rest stays with the seller. Answers what that brought.
    function sell(Trade calldata trade, bytes calldata more) external payable delegated returns (uint256) {
        return _sell(trade, more);
    }

    /// What it costs to buy `trade.amount` now.
    function costOf(Trade calldata trade, bytes calldata more) external payable delegated returns (uint256) {
        return _costOf(trade, more);
    }

    /// Buys `trade.amount` for `cost`. Answers that, so that a part that is not there is told from one that is.
    function buy(Trade calldata trade, bytes calldata more, uint256 cost)
        external
        payable
        delegated
        returns (uint256 paid)
    {
        paid = cost;
        _buy(trade, more, cost);
    }

    function _sell(Trade calldata trade, bytes calldata more) internal virtual returns (uint256);

    /// A venue has no exact outputs unless it says how.
    function _costOf(Trade calldata, bytes calldata) internal virtual returns (uint256) {
        revert InvalidPayload();
    }

    function _buy(Trade calldata, bytes calldata, uint256) internal virtual {
        revert InvalidPayload();
    }

    /// Has `amount` of what is sold here.
    function _draw(Trade calldata trade, uint256 amount) internal {
        if (trade.fromSeller) IGateway(trade.gateway).pull(address(this), amount);
    }

    /// Surplus of any token goes to who swaps.
    function _giveBack(Trade calldata trade, address token, uint256 amount) internal {
        token.send(IGateway(trade.gateway).seller(), amount);
    }

    /// Brings what came in of `token` to `to`.
    function _passOn(address token, uint256 before, address to) internal returns (uint256 got) {
        got = token.balanceOf(address(this)) - before;
        if (to != address(this)) token.send(to, got);
    }

    /// An approval is of exactly what is sold, and nothing of it is left open.
    function _assertDrawn(address token, address spender) internal view {
        if (IERC20(token).allowance(address(this), spender) != 0) revert PartialFill(spender);
    }
}

/// A family of venues that is traded under a lock which the executor has opened.
abstract contract LockedPart is Part {
    /// What a swap costs and brings; zero where it does not say yet what it brings.
    function open(LockedSwap calldata swap) external payable virtual returns (uint256 paid, uint256 bought);

    /// Takes what a swap brings, and answers it. It is paid already, and not settled.
    function close(LockedSwap calldata swap, uint256 paid, uint256 bought) external payable virtual returns (uint256);
}

error PartMissing(address part);

/// Runs a part's code as the executor's own and answers what it answers, which is never nothing.
function runPart(address part, bytes memory call_) returns (bytes memory answer) {
    bool done;
    (done, answer) = part.delegatecall(call_);
    if (!done) {
        assembly ("memory-safe") {
            revert(add(answer, 32), mload(answer))
        }
    }
    if (answer.length == 0) revert PartMissing(part);
}
