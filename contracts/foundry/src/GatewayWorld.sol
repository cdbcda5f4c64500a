// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {Fee, Order, Permit2Transfer} from "../../src/Terms.sol";
import {NATIVE_TOKEN} from "../../src/TokenTransfers.sol";
import {PlainToken} from "../../test/PlainToken.sol";
import {HostileExecutor} from "./Actors.sol";
import {vm} from "./Cheats.sol";
import {Kinds} from "./Kinds.sol";

interface IDomain {
    function DOMAIN_SEPARATOR() external view returns (bytes32);
}

/// A token with EIP-2612's permit: sound, or one that answers a permit and does nothing.
contract PermitToken is PlainToken {
    bool public idle;
    mapping(address => uint256) public nonces;

    function beIdle() external {
        idle = true;
    }

    function digestOf(address owner, address spender, uint256 value, uint256 deadline) public view returns (bytes32) {
        return keccak256(abi.encode(address(this), owner, spender, value, nonces[owner], deadline));
    }

    function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
        external
    {
        if (idle) return;
        require(block.timestamp <= deadline, "too late");
        require(ecrecover(digestOf(owner, spender, value, deadline), v, r, s) == owner, "not the owner's");
        ++nonces[owner];
        allowance[owner][spender] = value;
    }
}

/// A token with DAI's permit, which is older than EIP-2612 and allows all or nothing.
contract DaiToken is PlainToken {
    mapping(address => uint256) public nonces;

    function digestOf(address holder, address spender, uint256 nonce, uint256 expiry, bool allowed)
        public
        view
        returns (bytes32)
    {
        return keccak256(abi.encode(address(this), holder, spender, nonce, expiry, allowed));
    }

    function permit(
        address holder,
        address spender,
        uint256 nonce,
        uint256 expiry,
        bool allowed,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        require(ecrecover(digestOf(holder, spender, nonce, expiry, allowed), v, r, s) == holder, "not the holder's");
        require(expiry == 0 || block.timestamp <= expiry, "too late");
        require(nonce == nonces[holder]++, "another nonce");
        allowance[holder][spender] = allowed ? type(uint256).max : 0;
    }
}

/// Orders for the gateway, and their signatures.
abstract contract GatewayWorld is Kinds {
    uint256 internal constant TAKER_KEY = 0x7a4e;
    string private constant TYPES =
        "SwapOrder witness)Fee(address recipient,uint256 ratePpm)SwapOrder(address executor,address buyToken,uint256 minBuyAmount,address recipient,Fee[] fees,bool feesFromSold,uint256 balanceShare,uint256 quotedBuyAmount,uint256 surplusPpm,address surplusRecipient,bytes payload)TokenPermissions(address token,uint256 amount)";

    HostileExecutor internal hostile;

    function _makeGateway() internal {
        _makeKinds();
        hostile = new HostileExecutor();
        tokenA.mint(address(hostile), RICH);
        tokenB.mint(address(hostile), RICH);
        vm.deal(address(hostile), RICH);
    }

    /// Sells token A for token B, without a fee.
    function _order(uint256 amount, uint256 least) internal view returns (Order memory order) {
        (order.executor, order.deadline) = (address(executor), block.timestamp);
        (order.sellToken, order.maxSellAmount) = (address(tokenA), amount);
        (order.buyToken, order.minBuyAmount) = (address(tokenB), least);
        order.recipient = other;
    }

    /// Two fees, of parts per million.
    function _twoFees(uint256 first, uint256 second) internal pure returns (Fee[] memory fees) {
        fees = new Fee[](2);
        (fees[0], fees[1]) = (Fee(address(0xfee1), first), Fee(address(0xfee2), second));
    }

    function _swapOrder(Order memory order, bytes memory payload) internal returns (uint256) {
        uint256 value = order.sellToken == NATIVE_TOKEN ? order.maxSellAmount : 0;
        vm.prank(taker);
        return gateway.swapByOrder{value: value}(order, payload);
    }

    function _refusedOrder(Order memory order, bytes memory payload, bytes memory reason) internal {
        uint256 value = order.sellToken == NATIVE_TOKEN ? order.maxSellAmount : 0;
        _refusedCall(taker, address(gateway), value, abi.encodeCall(gateway.swapByOrder, (order, payload)), reason);
    }

    /// The taker's signature for Permit2, by EIP-712 and by nothing of the contracts.
    function _signed(Order memory order, bytes memory payload, uint256 nonce, uint256 key)
        internal
        view
        returns (Permit2Transfer memory)
    {
        bytes32 permitType = keccak256(
            bytes.concat(
                "PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,",
                bytes(TYPES)
            )
        );
        bytes32 permitted = keccak256(
            abi.encode(
                keccak256("TokenPermissions(address token,uint256 amount)"), order.sellToken, order.maxSellAmount
            )
        );
        bytes32 body = keccak256(
            abi.encode(permitType, permitted, address(gateway), nonce, order.deadline, _witness(order, payload))
        );
        bytes32 digest = keccak256(abi.encodePacked(hex"1901", IDomain(PERMIT2).DOMAIN_SEPARATOR(), body));
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, digest);
        return Permit2Transfer(nonce, taker, abi.encodePacked(r, s, v));
    }

    function _witness(Order memory order, bytes memory payload) private pure returns (bytes32) {
        bytes memory fees;
        bytes32 feeType = keccak256("Fee(address recipient,uint256 ratePpm)");
        for (uint256 i = 0; i < order.fees.length; ++i) {
            fees = bytes.concat(
                fees, keccak256(abi.encode(feeType, order.fees[i].recipient, order.fees[i].ratePpm))
            );
        }
        bytes32 orderType = keccak256(
            "SwapOrder(address executor,address buyToken,uint256 minBuyAmount,address recipient,Fee[] fees,bool feesFromSold,uint256 balanceShare,uint256 quotedBuyAmount,uint256 surplusPpm,address surplusRecipient,bytes payload)Fee(address recipient,uint256 ratePpm)"
        );
        bytes memory head = abi.encode(orderType, order.executor, order.buyToken, order.minBuyAmount, order.recipient);
        bytes memory tail = abi.encode(keccak256(fees), order.feesFromSold, order.balanceShare, order.quotedBuyAmount);
        bytes memory end = abi.encode(order.surplusPpm, order.surplusRecipient, keccak256(payload));
        return keccak256(bytes.concat(head, tail, end));
    }

    function _daiPermit(DaiToken token, uint256 nonce, uint256 expiry) internal view returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) =
            vm.sign(TAKER_KEY, token.digestOf(taker, address(gateway), nonce, expiry, true));
        return abi.encodePacked(r, s, v);
    }

    function _permit(PermitToken token, uint256 amount, uint256 deadline) internal view returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) =
            vm.sign(TAKER_KEY, token.digestOf(taker, address(gateway), amount, deadline));
        return abi.encodePacked(r, s, v);
    }
}
