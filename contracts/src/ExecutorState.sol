// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {TokenTransfers} from "./TokenTransfers.sol";

interface IGateway {
    function pull(address to, uint256 amount) external;
    function seller() external view returns (address);
}

/// All that the executor knows between two steps of a route, and how it pays. Everything compiled into the executor
/// shares this one layout; parts that are reached by delegatecall have no storage of any kind.
abstract contract ExecutorState {
    using TokenTransfers for address;

    error UnexpectedCallback(address caller);
    error ExcessivePayment(uint256 most, uint256 wanted);
    error CallbackMissing(address pool);
    error AmountTooLarge(uint256 amount);

    uint160 internal constant MIN_SQRT_PRICE = 4295128740;
    uint160 internal constant MAX_SQRT_PRICE = 1461446703485210103287273052203988822378723970341;

    bytes32 internal constant SELLER = keccak256("tributary.payer.seller");
    bytes32 internal constant SELF = keccak256("tributary.payer.self");

    /// Neither has a getter: every function costs those after it some gas, and the executor's address follows from both.
    address internal immutable gateway;
    address internal immutable wrappedNative;

    /// The one callback that may come now: pool and selector; zero when none may. Cleared by the callback itself.
    bytes32 internal transient expectedCallback;
    address internal transient paymentToken;
    uint256 internal transient paymentMost;
    /// Who pays: the seller through the gateway, this contract, or the rest of an exact-out with this hash.
    bytes32 internal transient payer;

    /// The singleton whose lock was opened from here and is open now; zero when none is.
    address internal transient openManager;
    /// The same of Balancer V3's vaults.
    address internal transient openVault;
    /// The same of PancakeSwap Infinity's Vaults.
    address internal transient openInfinity;
    /// The same of Ekubo's Cores.
    address internal transient openEkubo;
    /// What the lock that is being opened must call back with.
    bytes32 internal transient unlockData;

    /// The pool that may send native token now, since it is paying out; zero when none may.
    address internal transient nativeSource;

    constructor(address gateway_, address wrappedNative_) {
        gateway = gateway_;
        wrappedNative = wrappedNative_;
    }

    /// Brings `amount` of `token` to `to`: the seller's own, or what is here.
    function _deliver(bool fromSeller, address token, uint256 amount, address to) internal {
        if (fromSeller) IGateway(gateway).pull(to, amount);
        else token.send(to, amount);
    }

    function _callbackFrom(address pool, bytes4 callback) internal pure returns (bytes32) {
        return bytes32(uint256(uint160(pool)) << 32 | uint32(callback));
    }

    function _signed(uint256 amount) internal pure returns (int256) {
        if (amount > uint256(type(int256).max)) revert AmountTooLarge(amount);
        return int256(amount);
    }
}
