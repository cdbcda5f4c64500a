// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {MakerOrder} from "../../src/MakerOrder.sol";
import {MAKER_ORDER} from "../../src/VenueCodes.sol";
import {MakerWallet} from "../../test/MakerWallet.sol";
import {vm} from "./Cheats.sol";
import {Kinds} from "./Kinds.sol";
import {WHOLE, fillOf, moreBytes} from "./Routes.sol";

/// A maker with a key, one that is a contract, and orders that both sign: of token B, for token A.
abstract contract OrderWorld is Kinds {
    uint256 internal constant MAKER_KEY = 0x3a4e;
    uint256 internal constant SIGNER_KEY = 0x516e;

    address internal maker;
    MakerWallet internal makerWallet;

    function _makeMakers() internal {
        maker = vm.addr(MAKER_KEY);
        makerWallet = new MakerWallet(vm.addr(MAKER_KEY));
        _enrich(maker);
        _enrich(address(makerWallet));
    }

    /// A thousand of token B for 2,000 of token A, to be filled by this contract.
    function _order() internal view returns (MakerOrder memory order) {
        (order.maker, order.taker, order.trader) = (maker, address(this), taker);
        (order.makerToken, order.takerToken) = (address(tokenB), address(tokenA));
        (order.makerAmount, order.takerAmount, order.minTakerAmount) = (1_000, 2_000, 10);
        (order.expiry, order.nonce) = (uint64(block.timestamp), 5);
    }

    function _sign(uint256 key, MakerOrder memory order) internal view returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, _digestOf(order));
        return abi.encodePacked(r, s, v);
    }

    /// What a maker's wallet makes of it, by EIP-712.
    function _digestOf(MakerOrder memory order) private view returns (bytes32) {
        bytes32 domainType =
            keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
        bytes32 orderType = keccak256(
            "MakerOrder(address maker,address taker,address trader,address makerToken,address takerToken,uint128 makerAmount,uint128 takerAmount,uint128 minTakerAmount,uint64 expiry,uint256 nonce,bool refillable)"
        );
        bytes32 domain = keccak256(
            abi.encode(domainType, keccak256("Tributary Orders"), keccak256("1"), block.chainid, address(orders))
        );
        return keccak256(abi.encodePacked(hex"1901", domain, keccak256(abi.encode(orderType, order))));
    }

    /// A fill of a route by the executor with this order.
    function _orderFill(MakerOrder memory order, bytes memory signature, uint8 destination, uint8 sold, uint8 bought)
        internal
        view
        returns (bytes memory)
    {
        bytes memory more = moreBytes(
            abi.encodePacked(
                order.maker,
                order.makerAmount,
                order.takerAmount,
                order.minTakerAmount,
                order.expiry,
                order.nonce,
                order.refillable,
                uint16(signature.length),
                signature
            )
        );
        uint24 entries = uint24(more.length / 30);
        bytes memory fill = fillOf(MAKER_ORDER, destination, sold, bought, WHOLE, entries, address(orders));
        return bytes.concat(fill, more);
    }
}
