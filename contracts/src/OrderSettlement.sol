// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {IOrderSettlement, MakerOrder} from "./MakerOrder.sol";
import {TokenTransfers} from "./TokenTransfers.sol";

/// The one contract that makers approve. It has no owner, keeps nothing, calls nobody but the two tokens of an order and
/// an ERC-1271 maker (which may only look), and draws on `order.maker` alone, against that maker's own signature.
///
/// An order is filled by its taker: a contract that brings what is due here first and calls `fill` in the same
/// transaction. What lies here otherwise is anybody's.
///
/// A signature is by the maker, or by a signer that the maker itself has registered: 65 bytes r, s, v over the order's
/// EIP-712 digest, with s in the lower half and v 27 or 28. Where it is neither and the maker is a contract, the maker
/// judges it by ERC-1271.
contract OrderSettlement is IOrderSettlement {
    using TokenTransfers for address;

    error Reentered();
    error NotTheTaker(address caller);
    error OrderExpired(uint256 expiry);
    error NonceTooLow(uint256 least, uint256 nonce);
    error NonceUsed(uint256 nonce);
    error Overfilled(uint256 left, uint256 wanted);
    error BelowMinimum(uint256 least, uint256 wanted);
    error WorseThanSigned();
    error InvalidSignature(address maker);
    error PaymentTooSmall(uint256 due, uint256 paid);

    event OrderFilled(address indexed maker, bytes32 indexed orderHash, uint256 takerAmount, uint256 makerAmount);
    event NoncesCancelled(address indexed maker, uint256 word, uint256 mask);
    event LeastNonceRaised(address indexed maker, uint256 nonce);
    event SignerSet(address indexed maker, address indexed signer, bool allowed);

    bytes32 private constant DOMAIN_TYPE =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    bytes32 private constant NAME = keccak256("Tributary Orders");
    bytes32 private constant VERSION = keccak256("1");
    bytes32 private constant ORDER_TYPE = keccak256(
        "MakerOrder(address maker,address taker,address trader,address makerToken,address takerToken,"
        "uint128 makerAmount,uint128 takerAmount,uint128 minTakerAmount,uint64 expiry,uint256 nonce,bool refillable)"
    );

    /// The largest s that is not the mirror image of another: half the order of secp256k1.
    uint256 private constant MAX_S = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0;
    bytes4 private constant ERC1271_YES = 0x1626ba7e;
    /// What a maker's contract may use to judge a signature.
    uint256 private constant ERC1271_GAS = 200_000;

    /// Who may sign for a maker, besides itself. Written by the maker only.
    mapping(address maker => mapping(address signer => bool)) public isSigner;
    /// Nonces below this one are void.
    mapping(address maker => uint256) public leastNonce;
    /// A bit for each nonce that was filled or cancelled: bit `nonce % 256` of word `nonce / 256`.
    mapping(address maker => mapping(uint256 word => uint256)) public usedNonces;
    /// The same of those that were cancelled.
    mapping(address maker => mapping(uint256 word => uint256)) public cancelledNonces;
    /// What refillable orders have taken in so far, by the order's digest.
    mapping(bytes32 orderHash => uint256) public filled;

    bool private transient filling;

    // ------------------------------------------------------------------------------------------------- makers

    /// Lets `signer` sign orders of the caller, or no longer.
    function setSigner(address signer, bool allowed) external {
        isSigner[msg.sender][signer] = allowed;
        emit SignerSet(msg.sender, signer, allowed);
    }

    /// Makes orders of the caller with these nonces void, filled in part or not: those of `word` whose bits `mask` has.
    function cancelNonces(uint256 word, uint256 mask) external {
        usedNonces[msg.sender][word] |= mask;
        cancelledNonces[msg.sender][word] |= mask;
        emit NoncesCancelled(msg.sender, word, mask);
    }

    /// Makes all orders of the caller with nonces below `nonce` void. Never takes back what was void before.
    function raiseLeastNonce(uint256 nonce) external {
        if (nonce <= leastNonce[msg.sender]) revert NonceTooLow(leastNonce[msg.sender], nonce);
        leastNonce[msg.sender] = nonce;
        emit LeastNonceRaised(msg.sender, nonce);
    }

    // -------------------------------------------------------------------------------------------------- takers

    /// For the order's taker, which has sent `takerAmount` of the taker's token here: pays it to the maker, and
    /// `makerAmount` of the maker's token, at most what the order gives for that, from the maker to `recipient`.
    function fill(
        MakerOrder calldata order,
        bytes calldata signature,
        uint256 takerAmount,
        uint256 makerAmount,
        address recipient
    ) external {
        if (filling) revert Reentered();
        filling = true;

        if (msg.sender != order.taker) revert NotTheTaker(msg.sender);
        if (block.timestamp > order.expiry) revert OrderExpired(order.expiry);
        if (takerAmount == 0 || takerAmount < order.minTakerAmount) {
            revert BelowMinimum(order.minTakerAmount, takerAmount);
        }
        if (takerAmount > order.takerAmount) revert Overfilled(order.takerAmount, takerAmount);
        if (makerAmount * order.takerAmount > order.makerAmount * takerAmount) revert WorseThanSigned();

        bytes32 orderHash = hashOf(order);
        if (!_isSigned(order.maker, orderHash, signature)) revert InvalidSignature(order.maker);
        _use(order, orderHash, takerAmount);

        _pay(order.takerToken, order.maker, takerAmount);
        order.makerToken.sendFrom(order.maker, recipient, makerAmount);
        emit OrderFilled(order.maker, orderHash, takerAmount, makerAmount);
        filling = false;
    }

    /// The order's EIP-712 digest on this chain, for this contract.
    function hashOf(MakerOrder calldata order) public view returns (bytes32) {
        bytes32 domain = keccak256(abi.encode(DOMAIN_TYPE, NAME, VERSION, block.chainid, address(this)));
        return keccak256(bytes.concat(hex"1901", domain, keccak256(abi.encode(ORDER_TYPE, order))));
    }

    /// The first fill uses up the nonce; only the order that did so is ever filled again, and only if it is refillable.
    function _use(MakerOrder calldata order, bytes32 orderHash, uint256 takerAmount) private {
        uint256 nonce = order.nonce;
        uint256 least = leastNonce[order.maker];
        if (nonce < least) revert NonceTooLow(least, nonce);
        (uint256 word, uint256 bit) = (nonce >> 8, 1 << (nonce & 0xff));
        uint256 used = usedNonces[order.maker][word];
        if (used & bit == 0) {
            usedNonces[order.maker][word] = used | bit;
            if (order.refillable) filled[orderHash] = takerAmount;
            return;
        }
        uint256 before = filled[orderHash];
        if (before == 0 || cancelledNonces[order.maker][word] & bit != 0) revert NonceUsed(nonce);
        uint256 left = order.takerAmount - before;
        if (takerAmount > left) revert Overfilled(left, takerAmount);
        filled[orderHash] = before + takerAmount;
    }

    /// A token that keeps a part of what it moves would leave the maker with less than it sold for.
    function _pay(address token, address maker, uint256 amount) private {
        uint256 before = token.balanceOf(maker);
        token.send(maker, amount);
        uint256 paid = token.balanceOf(maker) - before;
        if (paid < amount) revert PaymentTooSmall(amount, paid);
    }

    // ---------------------------------------------------------------------------------------------- signatures

    function _isSigned(address maker, bytes32 orderHash, bytes calldata signature) private view returns (bool) {
        address signer = _signerOf(orderHash, signature);
        if (signer != address(0) && (signer == maker || isSigner[maker][signer])) return true;
        return maker.code.length != 0 && _isApproved(maker, orderHash, signature);
    }

    /// Zero where the signature is none of a key's, or not in the one form that is accepted.
    function _signerOf(bytes32 orderHash, bytes calldata signature) private pure returns (address) {
        if (signature.length != 65) return address(0);
        bytes32 s = bytes32(signature[32:64]);
        if (uint256(s) > MAX_S) return address(0);
        return ecrecover(orderHash, uint8(signature[64]), bytes32(signature[0:32]), s);
    }

    /// Asks the maker's contract, which can change nothing, use no more gas than it is given, and answer one word only.
    function _isApproved(address maker, bytes32 orderHash, bytes calldata signature) private view returns (bool yes) {
        bytes memory question = abi.encodeWithSelector(ERC1271_YES, orderHash, signature);
        bytes32 wanted = bytes32(ERC1271_YES);
        assembly ("memory-safe") {
            mstore(0, 0)
            let done := staticcall(ERC1271_GAS, maker, add(question, 32), mload(question), 0, 32)
            yes := and(done, and(gt(returndatasize(), 31), eq(mload(0), wanted)))
        }
    }
}
