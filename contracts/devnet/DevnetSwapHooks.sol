// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {PoolKey, SwapParams} from "../src/venues/UniswapV4.sol";

interface IClaims {
    function mint(address to, uint256 id, uint256 amount) external;
}

/// Hooks of Uniswap V4 that are called in swaps, by what the makers of such hooks document. For tests: anybody sets their terms,
/// and they take fees as claims of the manager that calls them.
abstract contract DevnetSwapHooks {
    uint256 internal constant BASIS_POINTS = 10_000;

    function _takeClaims(address currency, uint256 amount) internal {
        if (amount > 0) IClaims(msg.sender).mint(address(this), uint256(uint160(currency)), amount);
    }

    function _feeOf(uint256 amount, uint256 bps) internal pure returns (uint256) {
        return amount * bps / BASIS_POINTS;
    }

    function _idOf(PoolKey calldata key) internal pure returns (bytes32) {
        return keccak256(abi.encode(key));
    }

    /// What a swap moves of the token whose amount was not named, whichever way.
    function _other(PoolKey calldata key, SwapParams calldata params, int256 delta)
        internal
        pure
        returns (address currency, uint256 amount)
    {
        bool namesCurrency0 = (params.amountSpecified < 0) == params.zeroForOne;
        currency = namesCurrency0 ? key.currency1 : key.currency0;
        int256 moved = namesCurrency0 ? int256(int128(delta)) : delta >> 128;
        amount = uint256(moved < 0 ? -moved : moved);
    }
}

/// Two fees on the amount that the swapper did not name, frozen with the pool: a launchpad's.
contract DevnetOtherFeeHooks is DevnetSwapHooks {
    struct Launch {
        bool registered;
        uint16 creatorTaxBps;
        uint16 hookFeeBps;
    }

    mapping(bytes32 poolId => Launch) public launches;
    mapping(bytes32 poolId => mapping(address currency => uint256)) public pendingFees;

    event HookFeeCollected(bytes32 indexed poolId, address currency, uint256 fee, uint256 tax);

    function register(bytes32 poolId, uint16 creatorTaxBps, uint16 hookFeeBps) external {
        launches[poolId] = Launch(true, creatorTaxBps, hookFeeBps);
    }

    function afterSwap(address, PoolKey calldata key, SwapParams calldata params, int256 delta, bytes calldata)
        external
        returns (bytes4, int128)
    {
        bytes32 id = _idOf(key);
        (address currency, uint256 amount) = _other(key, params, delta);
        uint256 fee = _feeOf(amount, launches[id].hookFeeBps);
        uint256 tax = _feeOf(amount, launches[id].creatorTaxBps);
        _takeClaims(currency, fee + tax);
        pendingFees[id][currency] += fee + tax;
        emit HookFeeCollected(id, currency, fee, tax);
        return (this.afterSwap.selector, int128(uint128(fee + tax)));
    }
}

/// A fee in one of the two tokens whatever is named, one where currency 0 is sold and one where it is bought.
contract DevnetCurrencyFeeHooks is DevnetSwapHooks {
    struct Tax {
        bool inCurrency1;
        uint16 sellingCurrency0Bps;
        uint16 sellingCurrency1Bps;
    }

    mapping(bytes32 poolId => Tax) public taxes;

    function setTax(bytes32 poolId, bool inCurrency1, uint16 sellingCurrency0Bps, uint16 sellingCurrency1Bps) external {
        taxes[poolId] = Tax(inCurrency1, sellingCurrency0Bps, sellingCurrency1Bps);
    }

    function beforeSwap(address, PoolKey calldata key, SwapParams calldata params, bytes calldata)
        external
        returns (bytes4, int256, uint24)
    {
        (bool named, address currency, uint256 bps) = _taxOf(key, params);
        if (!named) return (this.beforeSwap.selector, 0, 0);
        int256 specified = params.amountSpecified;
        uint256 fee = _feeOf(uint256(specified < 0 ? -specified : specified), bps);
        _takeClaims(currency, fee);
        return (this.beforeSwap.selector, int256(fee << 128), 0);
    }

    function afterSwap(address, PoolKey calldata key, SwapParams calldata params, int256 delta, bytes calldata)
        external
        returns (bytes4, int128)
    {
        (bool named, address currency, uint256 bps) = _taxOf(key, params);
        if (named) return (this.afterSwap.selector, 0);
        (, uint256 amount) = _other(key, params, delta);
        uint256 fee = _feeOf(amount, bps);
        _takeClaims(currency, fee);
        return (this.afterSwap.selector, int128(uint128(fee)));
    }

    /// Whether the swapper named the taxed amount, the taxed currency, and the fee.
    function _taxOf(PoolKey calldata key, SwapParams calldata params)
        private
        view
        returns (bool named, address currency, uint256 bps)
    {
        Tax memory tax = taxes[_idOf(key)];
        bool namesCurrency0 = (params.amountSpecified < 0) == params.zeroForOne;
        named = namesCurrency0 != tax.inCurrency1;
        currency = tax.inCurrency1 ? key.currency1 : key.currency0;
        bps = params.zeroForOne ? tax.sellingCurrency0Bps : tax.sellingCurrency1Bps;
    }
}

/// The liquidity's fee by direction, given with every swap.
contract DevnetLiquidityFeeHooks is DevnetSwapHooks {
    uint24 private constant OVERRIDE = 0x400000;

    struct FeesData {
        address module;
        uint24 zeroForOneFee;
        uint24 oneForZeroFee;
    }

    mapping(bytes32 poolId => FeesData) public getFeesData;

    function setFees(bytes32 poolId, uint24 zeroForOneFee, uint24 oneForZeroFee) external {
        getFeesData[poolId] = FeesData(msg.sender, zeroForOneFee, oneForZeroFee);
    }

    function beforeSwap(address, PoolKey calldata key, SwapParams calldata params, bytes calldata)
        external
        view
        returns (bytes4, int256, uint24)
    {
        FeesData memory fees = getFeesData[_idOf(key)];
        return (this.beforeSwap.selector, 0, (params.zeroForOne ? fees.zeroForOneFee : fees.oneForZeroFee) | OVERRIDE);
    }
}

/// Counts swaps and changes none.
contract DevnetWatchingHooks is DevnetSwapHooks {
    mapping(bytes32 poolId => uint256) public swaps;

    function beforeSwap(address, PoolKey calldata, SwapParams calldata, bytes calldata)
        external
        pure
        returns (bytes4, int256, uint24)
    {
        return (this.beforeSwap.selector, 0, 0);
    }

    function afterSwap(address, PoolKey calldata key, SwapParams calldata, int256, bytes calldata)
        external
        returns (bytes4, int128)
    {
        swaps[_idOf(key)]++;
        return (this.afterSwap.selector, 0);
    }
}
