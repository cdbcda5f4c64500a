// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {TokenTransfers} from "../src/TokenTransfers.sol";
import {BufferWrapOrUnwrapParams, VaultSwapParams} from "../src/venues/BalancerV3.sol";

interface IShares {
    function asset() external view returns (address);
}

/// Calls with bytes as they are, and passes on what comes of it.
function callOf(address target, bytes memory data) returns (bytes memory) {
    (bool done, bytes memory answer) = target.call(data);
    if (done) return answer;
    assembly ("memory-safe") {
        revert(add(answer, 32), mload(answer))
    }
}

/// Calls back on behalf of somebody else's vault.
contract VaultAccomplice {
    function callBack(address executor, bytes calldata data) external returns (bytes memory) {
        return callOf(executor, data);
    }
}

/// A vault with the lock and the accounts of Balancer V3's: swaps at a price per pool, and at the end of the outermost lock
/// nobody owes anything. Or it cheats as it is told.
contract VaultDouble {
    using TokenTransfers for address;

    enum Trick {
        None,
        AskForTooMuch,
        AskTwice,
        NeverAsk,
        LetAnotherAsk,
        ChangeTheData,
        LieAboutOutput,
        TakeLess,
        LieInTheAnswer,
        GiveLess
    }

    Trick public trick;
    bool private transient unlocked;
    /// What the one who opened the lock owes, over all tokens: a token with a debt or a credit counts one.
    uint256 private transient open;
    mapping(address token => int256) private owed;
    mapping(address token => uint256) private reserves;
    /// What a pool, or the buffer of an ERC-4626 vault, gives for a thousand.
    mapping(address pool => uint256) public priceOf;

    function play(Trick trick_) external {
        trick = trick_;
    }

    function setPrice(address pool, uint256 price) external {
        priceOf[pool] = price;
    }

    /// Takes what lies here as the vault's.
    function take(address token) external {
        reserves[token] = token.balanceOf(address(this));
    }

    function unlock(bytes calldata data) external returns (bytes memory answer) {
        bool outermost = !unlocked;
        unlocked = true;
        if (trick == Trick.NeverAsk) return abi.encode(abi.encode(uint256(1), uint256(1)));
        if (trick == Trick.LetAnotherAsk) return new VaultAccomplice().callBack(msg.sender, data);
        bytes memory sent = data;
        if (trick == Trick.ChangeTheData) {
            uint256 size;
            assembly ("memory-safe") {
                size := mload(add(sent, 68))
            }
            sent[4 + 64 + size - 1] ^= 0x01;
        }
        answer = callOf(msg.sender, sent);
        if (trick == Trick.AskTwice) callOf(msg.sender, sent);
        if (trick == Trick.LieInTheAnswer) {
            if (abi.decode(answer, (bytes)).length == 0) return abi.encode(hex"ff");
            (uint256 paid, uint256 bought) = abi.decode(abi.decode(answer, (bytes)), (uint256, uint256));
            return abi.encode(abi.encode(paid, 2 * bought));
        }
        if (!outermost) return answer;
        require(open == 0 || trick != Trick.None, "not settled");
        unlocked = false;
    }

    function swap(VaultSwapParams calldata params)
        external
        returns (uint256 calculated, uint256 paid, uint256 bought)
    {
        return
            _trade(params.kind, params.pool, params.tokenIn, params.tokenOut, params.amountGivenRaw, params.limitRaw);
    }

    /// Wants to be paid before, as a buffer that is short has to be.
    function erc4626BufferWrapOrUnwrap(BufferWrapOrUnwrapParams calldata params)
        external
        returns (uint256 calculated, uint256 paid, uint256 bought)
    {
        (address wrapped, address asset) = (params.wrappedToken, IShares(params.wrappedToken).asset());
        (address tokenIn, address tokenOut) = params.direction == 0 ? (asset, wrapped) : (wrapped, asset);
        require(owed[tokenIn] == -int256(params.amountGivenRaw) || params.kind == 1, "not paid");
        return _trade(params.kind, wrapped, tokenIn, tokenOut, params.amountGivenRaw, params.limitRaw);
    }

    function _trade(uint8 kind, address pool, address tokenIn, address tokenOut, uint256 given, uint256 limit)
        private
        returns (uint256 calculated, uint256 paid, uint256 bought)
    {
        require(unlocked, "locked");
        uint256 price = priceOf[pool];
        if (kind == 0) {
            (paid, bought) = (given, given * price / 1_000);
            calculated = bought;
            require(calculated >= limit, "limit");
        } else {
            (paid, bought) = ((given * 1_000 + price - 1) / price, given);
            calculated = paid;
            require(calculated <= limit, "limit");
        }
        if (trick == Trick.GiveLess) bought -= 1;
        _owe(tokenIn, int256(paid));
        _owe(tokenOut, -int256(bought));
        if (trick == Trick.AskForTooMuch) paid += 1;
        if (trick == Trick.TakeLess) paid -= 1;
    }

    function settle(address token, uint256 hint) external returns (uint256 credit) {
        require(unlocked, "locked");
        uint256 held = token.balanceOf(address(this));
        credit = held - reserves[token];
        reserves[token] = held;
        if (credit > hint) credit = hint;
        _owe(token, -int256(credit));
    }

    function sendTo(address token, address to, uint256 amount) external {
        require(unlocked, "locked");
        if (trick == Trick.LieAboutOutput || trick == Trick.LieInTheAnswer) return;
        _owe(token, int256(amount));
        reserves[token] -= amount;
        token.send(to, amount);
    }

    function _owe(address token, int256 amount) private {
        int256 before = owed[token];
        int256 current = before + amount;
        if (before == 0 && current != 0) ++open;
        if (before != 0 && current == 0) --open;
        owed[token] = current;
    }
}
