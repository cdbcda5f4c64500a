// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {Order, Terms} from "../../src/Terms.sol";
import {NATIVE_TOKEN} from "../../src/TokenTransfers.sol";
import {V2_PAIR} from "../../src/VenueCodes.sol";
import {Attacks} from "./Attacks.sol";
import {vm} from "./Cheats.sol";
import {IToken} from "./Doors.sol";
import {WHOLE, exactOut, fillOf, none} from "./Routes.sol";

/// What is looked at after every call: whose tokens have moved, what is left, and whether an honest swap works.
abstract contract Watch is Attacks {
    struct Balances {
        uint256[] held;
        uint256 keeperWorked;
    }

    /// What was before a swap, and whether it was let through.
    struct Look {
        Balances before;
        address caller;
        address recipient;
        uint256 sold;
        uint256 bought;
        uint256 fee;
        uint256 shared;
        bool done;
    }

    /// Who has a share of surplus.
    address internal constant SHARER = address(0x5a12);

    /// Whose tokens are looked at: victims first, then takers, then the keeper.
    address[] private watched;
    function _watchAll() internal {
        for (uint256 i = 0; i < victims.length; ++i) watched.push(victims[i]);
        for (uint256 i = 0; i < takers.length; ++i) watched.push(takers[i]);
    }

    function _before(address caller, Terms memory terms) internal view returns (Look memory look) {
        (look.before, look.caller) = (_balances(), caller);
        look.recipient = terms.recipient == address(0) ? caller : terms.recipient;
        look.sold = _balance(terms.sellToken, caller);
        look.bought = _balance(terms.buyToken, look.recipient);
        look.fee = _balance(terms.buyToken, terms.feeRecipient);
        look.shared = _balance(terms.buyToken, SHARER);
    }

    /// The taker lost at most what it agreed to, who was to be paid got at least the minimum, nobody else lost anything,
    /// and a swap that was refused moved nothing.
    function _lookAtSwap(Look memory look, Terms memory terms) internal view {
        _lookAtOthers(look.before, look.caller);
        _lookAtCaller(look.before, look.caller, terms.sellToken);
        if (_isPlain(terms.sellToken)) {
            uint256 lost = _lossOf(_balance(terms.sellToken, look.caller), look.sold);
            require(lost <= (look.done ? terms.maxSellAmount : 0), "the taker lost more than it agreed to");
        }
        if (!look.done || !_isPlain(terms.buyToken)) return;
        uint256 gained = _balance(terms.buyToken, look.recipient) - look.bought;
        require(gained >= terms.minBuyAmount, "the recipient got less than the minimum");
    }

    /// The fee is at most its rate of all that came.
    function _lookAtFee(Look memory look, Terms memory terms) internal view {
        if (!look.done || terms.feeRatePpm == 0 || !_isPlain(terms.buyToken)) return;
        uint256 gained = _balance(terms.buyToken, look.recipient) - look.bought;
        uint256 fee = _balance(terms.buyToken, terms.feeRecipient) - look.fee;
        require(fee * 1_000_000 <= (terms.feeRatePpm * (fee + gained)), "the fee is above its rate");
    }

    /// Of surplus its recipient gets at most half; the other half, and all that was quoted, is the swap's recipient's.
    function _lookAtSurplus(Look memory look, Order memory order) internal view {
        if (!_isPlain(order.buyToken)) return;
        uint256 share = _balance(order.buyToken, SHARER) - look.shared;
        if (share == 0) return;
        require(look.done && order.surplusPpm != 0, "somebody has a share of nothing");
        if (order.balanceShare != 0) return;
        uint256 gained = _balance(order.buyToken, look.recipient) - look.bought;
        require(gained >= order.quotedBuyAmount + share, "more was shared than half of the surplus");
    }

    /// Nobody but the caller has lost anything, and the keeper only what it sold by itself.
    function _lookAtOthers(Balances memory before, address caller) internal view {
        Balances memory current = _balances();
        for (uint256 i = 0; i < watched.length; ++i) {
            if (watched[i] == caller) continue;
            for (uint256 j = 4 * i; j < 4 * i + 4; ++j) {
                require(current.held[j] >= before.held[j], "somebody else lost tokens");
            }
        }
        uint256 at = 4 * watched.length;
        uint256 sold = (keeper.worked() - before.keeperWorked) * 1e6;
        require(current.held[at] + sold == before.held[at], "the keeper sold something else");
        require(current.held[at + 1] >= before.held[at + 1], "the keeper lost token B");
        require(current.held[at + 2] >= before.held[at + 2], "the keeper lost wrapped native token");
        require(current.held[at + 3] >= before.held[at + 3], "the keeper lost native token");
    }

    /// The caller has lost nothing but what it sold.
    function _lookAtCaller(Balances memory before, address caller, address sellToken) internal view {
        Balances memory current = _balances();
        for (uint256 i = 0; i < watched.length; ++i) {
            if (watched[i] != caller) continue;
            for (uint256 j = 0; j < 4; ++j) {
                if (_watchedToken(j) == sellToken) continue;
                require(current.held[4 * i + j] >= before.held[4 * i + j], "the taker lost what it did not sell");
            }
        }
    }

    /// The doors are shut again, and honest swaps, either way, bring exactly what the pair gives.
    function _swapHonestly() internal {
        (bool open,) = address(gateway).call{value: 1}("");
        require(!open, "the gateway takes native token at rest");
        (open,) = address(executor).call{value: 1}("");
        require(!open, "the executor takes native token at rest");
        uint256 expected = _honestOutput(1e15);
        uint256 bought = _swap(_terms(address(tokenA), 1e15, address(tokenB), 1), _honestPayload());
        require(bought == expected, "an honest swap brings another amount");
        bytes memory fills = fillOf(V2_PAIR, 0, 0, 1, WHOLE, 3_000, address(pair));
        bought = _swap(_terms(address(tokenA), 1e22, address(tokenB), 1), exactOut(1e15, none(), fills));
        require(bought == 1e15, "an honest exact output brings another amount");
    }

    function _isPlain(address token) internal view returns (bool) {
        return token == address(tokenA) || token == address(tokenB) || token == address(weth) || token == NATIVE_TOKEN;
    }

    function _lossOf(uint256 current, uint256 before) internal pure returns (uint256) {
        return current < before ? before - current : 0;
    }

    function _watchedToken(uint256 index) internal view returns (address) {
        return [address(tokenA), address(tokenB), address(weth), NATIVE_TOKEN][index];
    }

    function _balances() internal view returns (Balances memory balances) {
        balances.held = new uint256[](4 * watched.length + 4);
        for (uint256 i = 0; i < balances.held.length; ++i) {
            address owner = i / 4 < watched.length ? watched[i / 4] : address(keeper);
            balances.held[i] = _balance(_watchedToken(i % 4), owner);
        }
        balances.keeperWorked = keeper.worked();
    }

    /// A venue that pays more than it says has given that away; whoever comes next may have it.
    function _sweep() internal {
        address[4] memory tokens = [address(tokenA), address(tokenB), address(weth), address(venue)];
        address[3] memory holders = [address(gateway), address(executor), address(orders)];
        for (uint256 i = 0; i < tokens.length * holders.length; ++i) {
            (IToken token, address holder) = (IToken(tokens[i / 3]), holders[i % 3]);
            uint256 held = token.balanceOf(holder);
            vm.deal(holder, 0);
            if (held == 0) continue;
            vm.prank(holder);
            token.transfer(address(0xdead), held);
        }
    }
}
