// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {IPoolManager, PoolKey, SwapParams} from "../src/venues/UniswapV4.sol";

interface IDopplerManager is IPoolManager {
    function settleFor(address recipient) external payable returns (uint256 paid);
}

interface IDopplerToken {
    function transfer(address to, uint256 amount) external;
}

interface IPassedHook {
    function onSwap(address sender, PoolKey calldata key, SwapParams calldata params, int256 delta, bytes calldata data)
        external
        returns (address currency, int128 fee);
}

/// Pays what it owes to a manager of Uniswap V4 under its lock.
abstract contract DevnetDopplerPayer {
    receive() external payable {}

    function _payFor(IDopplerManager manager, address currency, uint256 amount, address recipient) internal {
        manager.sync(currency);
        if (currency == address(0)) {
            manager.settleFor{value: amount}(recipient);
            return;
        }
        IDopplerToken(currency).transfer(address(manager), amount);
        manager.settleFor(recipient);
    }
}

/// Hooks of Uniswap V4 that pass each swap on to a contract of the pool's, by what Doppler documents of its initializer. They are
/// the initializer and its Airlock in one. For tests: anybody sets what they answer.
contract DevnetPassingHooks is DevnetDopplerPayer {
    struct PoolState {
        address numeraire;
        address passesTo;
        uint8 status;
        PoolKey key;
    }

    uint256 private constant ON_SWAP = 2;

    mapping(address asset => PoolState) private _states;
    mapping(bytes32 poolId => address asset) private _assets;
    mapping(address asset => address) private _timelocks;
    mapping(address passed => uint256 flags) public isDopplerHookEnabled;

    event Swapped(bytes32 indexed poolId);

    function register(PoolKey calldata key, address asset, address passesTo, uint8 status, address timelock) external {
        address numeraire = asset == key.currency0 ? key.currency1 : key.currency0;
        _states[asset] = PoolState(numeraire, passesTo, status, key);
        _assets[keccak256(abi.encode(key))] = asset;
        _timelocks[asset] = timelock;
    }

    function setFlags(address passed, uint256 flags) external {
        isDopplerHookEnabled[passed] = flags;
    }

    function setLiquidityFee(IDopplerFees manager, PoolKey calldata key, uint24 fee) external {
        manager.updateDynamicLPFee(key, fee);
    }

    function getState(address asset)
        external
        view
        returns (
            address numeraire,
            uint256 sold,
            address passesTo,
            bytes memory graduation,
            uint8 status,
            PoolKey memory key,
            int24 farTick
        )
    {
        PoolState memory state = _states[asset];
        return (state.numeraire, 1e27, state.passesTo, hex"c0de", state.status, state.key, 0);
    }

    /// The first two of the figures that an Airlock has of an asset.
    function getAssetData(address asset) external view returns (address numeraire, address timelock) {
        return (_states[asset].numeraire, _timelocks[asset]);
    }

    function afterSwap(address sender, PoolKey calldata key, SwapParams calldata params, int256 delta, bytes calldata data)
        external
        returns (bytes4, int128 fee)
    {
        bytes32 id = keccak256(abi.encode(key));
        address passesTo = _states[_assets[id]].passesTo;
        if (passesTo != address(0) && isDopplerHookEnabled[passesTo] & ON_SWAP != 0) {
            address currency;
            (currency, fee) = IPassedHook(passesTo).onSwap(sender, key, params, delta, data);
            if (fee > 0) {
                IDopplerManager manager = IDopplerManager(msg.sender);
                manager.take(currency, address(this), uint128(fee));
                _payFor(manager, currency, uint128(fee), passesTo);
            }
        }
        emit Swapped(id);
        return (this.afterSwap.selector, fee);
    }
}

interface IDopplerFees {
    function updateDynamicLPFee(PoolKey calldata key, uint24 newDynamicLPFee) external;
}

/// A fee of the amount that is not named, which falls with time and of which half is sold in the same pool after the swap.
contract DevnetFallingFee is DevnetDopplerPayer {
    struct Schedule {
        uint32 startingTime;
        uint24 startFee;
        uint24 endFee;
        uint24 lastFee;
        uint32 durationSeconds;
    }

    /// Fees are parts of it.
    uint256 public immutable whole;
    IDopplerManager public immutable manager;
    uint160 private constant LOWEST = 4295128740;
    uint160 private constant HIGHEST = 1461446703485210103287273052203988822378723970341;

    /// Parts of 10^18 of what is taken in the asset, and in the other token.
    struct Distribution {
        uint256 assetToAssetBuyback;
        uint256 assetToNumeraireBuyback;
        uint256 assetToBeneficiary;
        uint256 assetToLiquidity;
        uint256 numeraireToAssetBuyback;
        uint256 numeraireToNumeraireBuyback;
        uint256 numeraireToBeneficiary;
        uint256 numeraireToLiquidity;
    }

    mapping(bytes32 poolId => Schedule) public getFeeSchedule;
    mapping(bytes32 poolId => Distribution) public getFeeDistributionInfo;

    constructor(uint256 whole_, IDopplerManager manager_) {
        whole = whole_;
        manager = manager_;
    }

    function setSchedule(bytes32 poolId, uint32 startingTime, uint24 startFee, uint24 endFee, uint32 durationSeconds)
        external
    {
        getFeeSchedule[poolId] = Schedule(startingTime, startFee, endFee, startFee, durationSeconds);
        getFeeDistributionInfo[poolId] = Distribution(0, 5e17, 5e17, 0, 5e17, 0, 5e17, 0);
    }

    /// From now on a part of the fees is said to become liquidity.
    function addLiquidity(bytes32 poolId) external {
        getFeeDistributionInfo[poolId] = Distribution(0, 5e17, 0, 5e17, 0, 0, 1e18, 0);
    }

    function onSwap(address sender, PoolKey calldata key, SwapParams calldata params, int256 delta, bytes calldata)
        external
        returns (address currency, int128 fee)
    {
        if (sender == address(this)) return (address(0), 0);
        bool namesCurrency0 = (params.amountSpecified < 0) == params.zeroForOne;
        currency = namesCurrency0 ? key.currency1 : key.currency0;
        int256 moved = namesCurrency0 ? int256(int128(delta)) : delta >> 128;
        uint256 taken = uint256(moved < 0 ? -moved : moved) * _currentFee(keccak256(abi.encode(key))) / whole;
        manager.take(currency, address(this), taken);
        if (taken > 1) _sell(key, namesCurrency0, currency, taken / 2);
        return (currency, int128(uint128(taken)));
    }

    function _sell(PoolKey calldata key, bool sellsCurrency1, address currency, uint256 amount) private {
        SwapParams memory params = SwapParams(!sellsCurrency1, -int256(amount), sellsCurrency1 ? HIGHEST : LOWEST);
        try manager.swap(key, params, "") returns (int256 delta) {
            int256 sold = sellsCurrency1 ? int256(int128(delta)) : delta >> 128;
            int256 bought = sellsCurrency1 ? delta >> 128 : int256(int128(delta));
            _payFor(manager, currency, uint256(-sold), address(this));
            if (bought > 0) manager.take(sellsCurrency1 ? key.currency0 : key.currency1, address(this), uint256(bought));
        } catch {}
    }

    function _currentFee(bytes32 id) private returns (uint256 fee) {
        Schedule memory schedule = getFeeSchedule[id];
        (uint256 start, uint256 end) = (schedule.startFee, schedule.endFee);
        if (start == end || schedule.durationSeconds == 0) return start;
        if (schedule.lastFee == end) return end;
        if (block.timestamp <= schedule.startingTime) return start;
        uint256 elapsed = block.timestamp - schedule.startingTime;
        fee = elapsed >= schedule.durationSeconds ? end : start - (start - end) * elapsed / schedule.durationSeconds;
        if (fee < schedule.lastFee) getFeeSchedule[id].lastFee = uint24(fee);
    }
}
