// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {IERC20} from "../src/TokenTransfers.sol";

/// What the doubles of makers' contracts share: they settle honestly until they are told to pay or to draw less, or to call
/// somebody in the middle of a trade.
abstract contract RfqDouble {
    uint256 public unpaid;
    uint256 public undrawn;
    address private callee;
    bytes private callData;
    bool public succeeded;

    function keepBack(uint256 unpaid_, uint256 undrawn_) external {
        (unpaid, undrawn) = (unpaid_, undrawn_);
    }

    function callDuringTrade(address callee_, bytes calldata callData_) external {
        (callee, callData) = (callee_, callData_);
    }

    function _settle(address takerToken, address makerToken, address maker, address to, uint256 takes, uint256 gives)
        internal
    {
        IERC20(takerToken).transferFrom(msg.sender, maker, takes - undrawn);
        if (callee != address(0)) (succeeded,) = callee.call(callData);
        if (gives > unpaid) IERC20(makerToken).transferFrom(maker, to, gives - unpaid);
    }

    function _assert(bool holds, string memory why) internal pure {
        require(holds, why);
    }

    function _digest(string memory name, string memory version, bytes32 order) internal view returns (bytes32) {
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256(bytes(name)),
                keccak256(bytes(version)),
                block.chainid,
                address(this)
            )
        );
        return keccak256(abi.encodePacked("\x19\x01", domain, order));
    }

    function _signer(bytes32 digest, bytes memory signature) internal pure returns (address) {
        (bytes32 r, bytes32 s) = (bytes32(0), bytes32(0));
        uint8 v = uint8(signature[64]);
        assembly ("memory-safe") {
            r := mload(add(signature, 32))
            s := mload(add(signature, 64))
        }
        return ecrecover(digest, v, r, s);
    }
}

/// RFQ and OTC orders as the exchange proxy of 0x v4 fills them, after the public description of its orders
/// (docs.0xprotocol.org, basics/orders).
contract ZeroExDouble is RfqDouble {
    struct RfqOrder {
        address makerToken;
        address takerToken;
        uint128 makerAmount;
        uint128 takerAmount;
        address maker;
        address taker;
        address txOrigin;
        bytes32 pool;
        uint64 expiry;
        uint256 salt;
    }

    struct OtcOrder {
        address makerToken;
        address takerToken;
        uint128 makerAmount;
        uint128 takerAmount;
        address maker;
        address taker;
        address txOrigin;
        uint256 expiryAndNonce;
    }

    struct Signature {
        uint8 signatureType;
        uint8 v;
        bytes32 r;
        bytes32 s;
    }

    mapping(bytes32 order => uint256) public filled;

    function fillRfqOrder(RfqOrder calldata order, Signature calldata signature, uint128 fill)
        external
        payable
        returns (uint128, uint128)
    {
        bytes32 typed = keccak256(
            "RfqOrder(address makerToken,address takerToken,uint128 makerAmount,uint128 takerAmount,address maker,address taker,address txOrigin,bytes32 pool,uint64 expiry,uint256 salt)"
        );
        bytes32 digest = _digest("ZeroEx", "1.0.0", keccak256(abi.encode(typed, order)));
        _assert(order.expiry > block.timestamp, "expired");
        OtcOrder memory rest = OtcOrder(
            order.makerToken,
            order.takerToken,
            order.makerAmount,
            order.takerAmount,
            order.maker,
            order.taker,
            order.txOrigin,
            0
        );
        return _fill(rest, digest, signature, fill);
    }

    function fillOtcOrder(OtcOrder calldata order, Signature calldata signature, uint128 fill)
        external
        payable
        returns (uint128, uint128)
    {
        bytes32 typed = keccak256(
            "OtcOrder(address makerToken,address takerToken,uint128 makerAmount,uint128 takerAmount,address maker,address taker,address txOrigin,uint256 expiryAndNonce)"
        );
        bytes32 digest = _digest("ZeroEx", "1.0.0", keccak256(abi.encode(typed, order)));
        _assert(order.expiryAndNonce >> 192 > block.timestamp, "expired");
        _assert(filled[digest] == 0, "filled");
        return _fill(order, digest, signature, fill);
    }

    function _fill(OtcOrder memory order, bytes32 digest, Signature calldata signature, uint128 fill)
        private
        returns (uint128 takes, uint128 gives)
    {
        _assert(signature.signatureType == 2, "form of the signature");
        _assert(ecrecover(digest, signature.v, signature.r, signature.s) == order.maker, "signature");
        _assert(order.taker == address(0) || order.taker == msg.sender, "taker");
        // solhint-disable-next-line avoid-tx-origin
        _assert(order.txOrigin == tx.origin, "origin");
        uint256 left = order.takerAmount - filled[digest];
        takes = fill < left ? fill : uint128(left);
        gives = uint128(uint256(takes) * order.makerAmount / order.takerAmount);
        filled[digest] += takes;
        _settle(order.takerToken, order.makerToken, order.maker, msg.sender, takes, gives);
    }
}

/// A single order as Bebop's settlement contract swaps it (docs.bebop.xyz; the type of the order is that of bebop-dex's
/// public BlendSingleOrder).
contract BebopDouble is RfqDouble {
    struct Single {
        uint256 expiry;
        address taker_address;
        address maker_address;
        uint256 maker_nonce;
        address taker_token;
        address maker_token;
        uint256 taker_amount;
        uint256 maker_amount;
        address receiver;
        uint256 packed_commands;
        uint256 flags;
    }

    struct MakerSignature {
        bytes signatureBytes;
        uint256 flags;
    }

    mapping(address maker => mapping(uint256 nonce => bool)) public used;

    function swapSingle(Single calldata order, MakerSignature calldata signature, uint256 filledTakerAmount)
        external
        payable
    {
        _assert(order.taker_address == msg.sender, "taker");
        _assert(order.expiry > block.timestamp, "expired");
        _assert(!used[order.maker_address][order.maker_nonce], "nonce");
        used[order.maker_address][order.maker_nonce] = true;
        bytes32 typed = keccak256(
            "SingleOrder(uint64 partner_id,uint256 expiry,address taker_address,address maker_address,uint256 maker_nonce,address taker_token,address maker_token,uint256 taker_amount,uint256 maker_amount,address receiver,uint256 packed_commands)"
        );
        bytes32 hashed = keccak256(
            abi.encodePacked(
                abi.encode(typed, uint64(order.flags >> 64), order.expiry, order.taker_address, order.maker_address),
                abi.encode(order.maker_nonce, order.taker_token, order.maker_token, order.taker_amount),
                abi.encode(order.maker_amount, order.receiver, order.packed_commands)
            )
        );
        bytes32 digest = _digest("BebopSettlement", "2", hashed);
        _assert(_signer(digest, signature.signatureBytes) == order.maker_address, "signature");
        uint256 takes = filledTakerAmount == 0 ? order.taker_amount : filledTakerAmount;
        _assert(takes <= order.taker_amount, "amount");
        uint256 gives = order.maker_amount * takes / order.taker_amount;
        _settle(order.taker_token, order.maker_token, order.maker_address, order.receiver, takes, gives);
    }
}

/// A quote as Hashflow's router trades it, with the pool's signer as the account that pays (x-protocol's public IQuote and
/// HashflowPool).
contract HashflowDouble is RfqDouble {
    struct RFQTQuote {
        address pool;
        address externalAccount;
        address trader;
        address effectiveTrader;
        address baseToken;
        address quoteToken;
        uint256 effectiveBaseTokenAmount;
        uint256 baseTokenAmount;
        uint256 quoteTokenAmount;
        uint256 quoteExpiry;
        uint256 nonce;
        bytes32 txid;
        bytes signature;
    }

    mapping(address trader => uint256) public nonces;

    function tradeRFQT(RFQTQuote calldata quote) external payable {
        _assert(quote.quoteExpiry > block.timestamp, "expired");
        _assert(quote.effectiveBaseTokenAmount <= quote.baseTokenAmount, "amount");
        _assert(quote.nonce > nonces[quote.effectiveTrader], "nonce");
        nonces[quote.effectiveTrader] = quote.nonce;
        bytes32 hashed = keccak256(
            abi.encodePacked(
                abi.encodePacked(quote.pool, quote.trader, quote.effectiveTrader, quote.externalAccount),
                abi.encodePacked(quote.baseToken, quote.quoteToken, quote.baseTokenAmount, quote.quoteTokenAmount),
                abi.encodePacked(quote.nonce, quote.quoteExpiry, quote.txid, block.chainid)
            )
        );
        bytes32 digest = keccak256(abi.encodePacked("\x19Ethereum Signed Message:\n32", hashed));
        _assert(_signer(digest, quote.signature) == quote.externalAccount, "signature");
        uint256 takes = quote.effectiveBaseTokenAmount;
        uint256 gives = quote.quoteTokenAmount * takes / quote.baseTokenAmount;
        _settle(quote.baseToken, quote.quoteToken, quote.externalAccount, quote.trader, takes, gives);
    }
}
