// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {partOf} from "../PartAddresses.sol";
import {Fill, REST, fillAt, readRest} from "../Payload.sol";
import {
    BALANCER_V3_BUFFER,
    BALANCER_V3_POOL,
    EKUBO_POOL,
    INFINITY_BIN_POOL,
    INFINITY_CL_POOL,
    V4_POOL,
    balancerV3BufferWrapped,
    balancerV3PoolPool
} from "../VenueCodes.sol";
import {LockedPart, runPart} from "../VenuePart.sol";
import {Ekubo} from "./Ekubo.sol";
import {IInfinityVault} from "./Infinity.sol";
import {IPoolManager, LockedSwap} from "./UniswapV4.sol";

/// Venues that are traded under a lock: those of Uniswap V4, PancakeSwap Infinity and Ekubo in here, Balancer V3's by its
/// part. Compiled into the executor.
abstract contract Locks is Ekubo {
    /// Of a PoolManager of Uniswap V4 and a vault of Balancer V3.
    function unlockCallback(bytes calldata data) external returns (bytes memory) {
        return _runLocked(data);
    }

    /// Of a Vault of PancakeSwap Infinity.
    function lockAcquired(bytes calldata data) external returns (bytes memory) {
        return _runLocked(data);
    }

    /// Of Ekubo's Core: what it was given follows the lock's number. The name makes the selector zero.
    function locked_6416899205(uint256) external returns (bytes memory) {
        return _runLocked(msg.data[36:]);
    }

    function _runLocked(bytes calldata data) private returns (bytes memory) {
        bool expected = expectedCallback == _callbackFrom(msg.sender, msg.sig) && unlockData == keccak256(data);
        if (!expected) revert UnexpectedCallback(msg.sender);
        expectedCallback = 0;
        (address manager, address vault, address infinity) = (openManager, openVault, openInfinity);
        address ekubo = openEkubo;
        bytes memory answer;
        if (data[0] == REST) {
            (bytes memory tokens, bytes calldata fills) = readRest(data);
            _noteOpen(fillAt(fills, 0).venueOf());
            _make(tokens, fills);
        } else {
            LockedSwap memory swap = abi.decode(data, (LockedSwap));
            _noteOpen(swap.venue);
            (uint256 paid, uint256 bought) = _swapInLock(swap);
            answer = abi.encode(paid, bought);
        }
        (openManager, openVault, openInfinity) = (manager, vault, infinity);
        openEkubo = ekubo;
        return answer;
    }

    /// Makes by these fills of an exact-out what is needed of each token.
    function _make(bytes memory tokens, bytes calldata fills) internal virtual;

    function _isLocked(uint256 venue) internal pure returns (bool) {
        uint256 infinity = 1 << INFINITY_CL_POOL | 1 << INFINITY_BIN_POOL;
        uint256 all = 1 << V4_POOL | 1 << BALANCER_V3_POOL | 1 << BALANCER_V3_BUFFER | infinity | 1 << EKUBO_POOL;
        return all >> venue & 1 != 0;
    }

    function _lockedSwap(Fill fill, bytes calldata more, address sold, address bought)
        internal
        pure
        returns (LockedSwap memory swap)
    {
        (swap.venue, swap.manager, swap.sold) = (fill.venueOf(), fill.poolOf(), sold);
        if (swap.venue == V4_POOL) {
            _nameV4Pool(swap, fill.detailOf(), more, bought);
        } else if (_isInfinity(swap.venue)) {
            _nameInfinityPool(swap, fill.detailOf(), more, bought);
        } else if (swap.venue == EKUBO_POOL) {
            _nameEkuboPool(swap, fill.detailOf(), more, bought);
        } else {
            swap.zeroForOne = true;
            (swap.key.currency0, swap.key.currency1) = (sold, bought);
            swap.key.hooks =
                swap.venue == BALANCER_V3_POOL ? balancerV3PoolPool(more) : balancerV3BufferWrapped(more);
        }
    }

    function _isOpen(uint256 venue, address manager) internal view returns (bool) {
        if (_isInfinity(venue)) return openInfinity != address(0) && openInfinity == _vaultOf(manager);
        if (venue == EKUBO_POOL) return openEkubo == manager;
        return (venue == V4_POOL ? openManager : openVault) == manager;
    }

    /// The lock of who calls is open.
    function _noteOpen(uint256 venue) private {
        if (venue == V4_POOL) openManager = msg.sender;
        else if (_isInfinity(venue)) openInfinity = msg.sender;
        else if (venue == EKUBO_POOL) openEkubo = msg.sender;
        else openVault = msg.sender;
    }

    /// Opens a lock, which calls back with `data`. A PoolManager calls `unlockCallback` with what it is given, and a Vault
    /// of Infinity `lockAcquired`; a vault of Balancer makes what it is given its call, and Ekubo's Core goes on with it.
    function _unlock(uint256 venue, address manager, bytes memory data) internal returns (bytes memory answer) {
        bool infinity = _isInfinity(venue);
        if (infinity) manager = _vaultOf(manager);
        expectedCallback = _callbackFrom(manager, _lockCallbackOf(venue));
        unlockData = keccak256(data);
        if (venue == V4_POOL) {
            answer = IPoolManager(manager).unlock(data);
        } else if (infinity) {
            answer = IInfinityVault(manager).lock(data);
        } else if (venue == EKUBO_POOL) {
            answer = _callCore(manager, abi.encodePacked(EKUBO_LOCK, data));
        } else {
            answer = IPoolManager(manager).unlock(abi.encodeCall(this.unlockCallback, (data)));
        }
        if (expectedCallback != 0) revert CallbackMissing(manager);
        if (venue != V4_POOL && !infinity) answer = abi.decode(answer, (bytes));
    }

    function _lockCallbackOf(uint256 venue) private pure returns (bytes4) {
        if (venue == EKUBO_POOL) return this.locked_6416899205.selector;
        return _isInfinity(venue) ? this.lockAcquired.selector : this.unlockCallback.selector;
    }

    /// Swaps under a lock that was opened from here: one that is open already, or its own.
    function _swapLocked(LockedSwap memory swap) internal returns (uint256 paid, uint256 bought) {
        if (_isOpen(swap.venue, swap.manager)) return _swapInLock(swap);
        return abi.decode(_unlock(swap.venue, swap.manager, abi.encode(swap)), (uint256, uint256));
    }

    function _swapInLock(LockedSwap memory swap) private returns (uint256 paid, uint256 bought) {
        (paid, bought) = _openInLock(swap);
        if (paid > swap.most) revert ExcessivePayment(swap.most, paid);
        bought = _closeInLock(swap, paid, bought);
    }

    /// What a swap costs and brings; a buffer does not say yet what it brings.
    function _openInLock(LockedSwap memory swap) internal returns (uint256 paid, uint256 bought) {
        if (swap.venue == V4_POOL) return _swapInManager(swap);
        if (_isInfinity(swap.venue)) return _swapInInfinity(swap);
        if (swap.venue == EKUBO_POOL) return _swapInEkubo(swap);
        bytes memory answer = runPart(partOf(swap.venue), abi.encodeCall(LockedPart.open, (swap)));
        return abi.decode(answer, (uint256, uint256));
    }

    /// Pays for a swap and takes what it brings. What is owed is here, or the seller's.
    function _closeInLock(LockedSwap memory swap, uint256 paid, uint256 bought) internal returns (uint256) {
        if (swap.venue == V4_POOL) {
            _settleWith(IPoolManager(swap.manager), swap, paid, bought);
            return bought;
        }
        if (_isInfinity(swap.venue)) {
            _settleInVault(swap, paid, bought);
            return bought;
        }
        if (swap.venue == EKUBO_POOL) {
            _settleInEkubo(swap, paid, bought);
            return bought;
        }
        _deliver(swap.fromSeller, swap.sold, paid, swap.manager);
        bytes memory call_ = abi.encodeCall(LockedPart.close, (swap, paid, bought));
        return abi.decode(runPart(partOf(swap.venue), call_), (uint256));
    }
}
