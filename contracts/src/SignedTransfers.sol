// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {Fee, Order, Permit2Transfer} from "./Terms.sol";

interface IERC20Permit {
    function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
        external;
}

/// The permit of DAI, which is older than EIP-2612 and allows all or nothing.
interface IDaiPermit {
    function nonces(address holder) external view returns (uint256);
    function permit(
        address holder,
        address spender,
        uint256 nonce,
        uint256 expiry,
        bool allowed,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external;
}

interface IPermit2 {
    struct TokenPermissions {
        address token;
        uint256 amount;
    }

    struct PermitTransferFrom {
        TokenPermissions permitted;
        uint256 nonce;
        uint256 deadline;
    }

    struct SignatureTransferDetails {
        address to;
        uint256 requestedAmount;
    }

    function permitWitnessTransferFrom(
        PermitTransferFrom calldata permit,
        SignatureTransferDetails calldata transferDetails,
        address owner,
        bytes32 witness,
        string calldata witnessTypeString,
        bytes calldata signature
    ) external;
}

/// Sold tokens that come by their owner's signature: an approval by EIP-2612, or a transfer of Permit2's.
abstract contract SignedTransfers {
    /// Where Permit2 stands on every chain that has it.
    IPermit2 private constant PERMIT2 = IPermit2(0x000000000022D473030F116dDEE9F6B43aC78BA3);

    bytes32 private constant FEE_TYPE = keccak256("Fee(address recipient,uint256 ratePpm)");
    /// Sold token, `maxSellAmount` and deadline are Permit2's own: what it permits, and until when.
    bytes32 private constant ORDER_TYPE = keccak256(
        "SwapOrder(address executor,address buyToken,uint256 minBuyAmount,address recipient,Fee[] fees,"
        "bool feesFromSold,uint256 balanceShare,uint256 quotedBuyAmount,uint256 surplusPpm,address surplusRecipient,"
        "bytes payload)Fee(address recipient,uint256 ratePpm)"
    );
    /// What follows Permit2's own fields in its type, with all types that it names, by their names.
    string private constant WITNESS =
        "SwapOrder witness)Fee(address recipient,uint256 ratePpm)SwapOrder(address executor,address buyToken,"
        "uint256 minBuyAmount,address recipient,Fee[] fees,bool feesFromSold,uint256 balanceShare,"
        "uint256 quotedBuyAmount,uint256 surplusPpm,address surplusRecipient,bytes payload)"
        "TokenPermissions(address token,uint256 amount)";

    /// Brings the caller's permit to the token, and as DAI's where the token does not take it as EIP-2612's. Whether either
    /// was taken proves nothing and is not asked: the transfer fails by itself without an allowance.
    function _permit(Order calldata order, bytes calldata signature) internal {
        (uint8 v, bytes32 r, bytes32 s) =
            (uint8(signature[64]), bytes32(signature[0:32]), bytes32(signature[32:64]));
        address token = order.sellToken;
        (bool done,) = _ask(
            token,
            abi.encodeCall(
                IERC20Permit.permit, (msg.sender, address(this), order.maxSellAmount, order.deadline, v, r, s)
            )
        );
        if (done) return;
        (, uint256 nonce) = _ask(token, abi.encodeCall(IDaiPermit.nonces, (msg.sender)));
        _ask(
            token,
            abi.encodeCall(IDaiPermit.permit, (msg.sender, address(this), nonce, order.deadline, true, v, r, s))
        );
    }

    /// Calls `token`, whose failure changes nothing. Answers the first word of what it answers.
    function _ask(address token, bytes memory data) private returns (bool done, uint256 answer) {
        assembly ("memory-safe") {
            mstore(0, 0)
            done := call(gas(), token, 0, add(data, 32), mload(data), 0, 32)
            answer := mload(0)
        }
    }

    /// Has Permit2 bring `amount` of the sold token here. It checks owner, nonce, deadline and signature.
    function _transferSigned(
        Order calldata order,
        Permit2Transfer calldata permit,
        uint256 amount,
        bytes calldata payload
    ) internal {
        PERMIT2.permitWitnessTransferFrom(
            IPermit2.PermitTransferFrom(
                IPermit2.TokenPermissions(order.sellToken, order.maxSellAmount), permit.nonce, order.deadline
            ),
            IPermit2.SignatureTransferDetails(address(this), amount),
            permit.owner,
            _witnessOf(order, payload),
            WITNESS,
            permit.signature
        );
    }

    function _witnessOf(Order calldata order, bytes calldata payload) private pure returns (bytes32) {
        bytes32[] memory fees = new bytes32[](order.fees.length);
        for (uint256 i = 0; i < fees.length; ++i) {
            Fee calldata fee = order.fees[i];
            fees[i] = keccak256(abi.encode(FEE_TYPE, fee.recipient, fee.ratePpm));
        }
        return keccak256(
            abi.encode(
                ORDER_TYPE,
                order.executor,
                order.buyToken,
                order.minBuyAmount,
                order.recipient,
                keccak256(abi.encodePacked(fees)),
                order.feesFromSold,
                order.balanceShare,
                order.quotedBuyAmount,
                order.surplusPpm,
                order.surplusRecipient,
                keccak256(payload)
            )
        );
    }
}
