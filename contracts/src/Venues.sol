// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

interface IUniswapV2Pair {
    function getReserves() external view returns (uint112 reserve0, uint112 reserve1, uint32 blockTimestampLast);
    function swap(uint256 amount0Out, uint256 amount1Out, address to, bytes calldata data) external;
}

interface IUniswapV3Pool {
    function swap(address recipient, bool zeroForOne, int256 amountSpecified, uint160 sqrtPriceLimitX96, bytes calldata data)
        external
        returns (int256 amount0, int256 amount1);
}

/// What names a pool in Uniswap V4's PoolManager; the native token is the zero address there.
struct PoolKey {
    address currency0;
    address currency1;
    uint24 fee;
    int24 tickSpacing;
    address hooks;
}

struct SwapParams {
    bool zeroForOne;
    /// Below zero is sold, above zero is bought.
    int256 amountSpecified;
    uint160 sqrtPriceLimitX96;
}

interface IPoolManager {
    function unlock(bytes calldata data) external returns (bytes memory);
    /// The caller's deltas, of currency 0 in the upper half; below zero is owed.
    function swap(PoolKey calldata key, SwapParams calldata params, bytes calldata hookData)
        external
        returns (int256 delta);
    function sync(address currency) external;
    function settle() external payable returns (uint256 paid);
    function take(address currency, address to, uint256 amount) external;
}

interface IWrappedNative {
    function deposit() external payable;
    function withdraw(uint256 amount) external;
}

interface ISolidlyPool {
    function getAmountOut(uint256 amountIn, address tokenIn) external view returns (uint256);
}

interface ICurvePool {
    function exchange(int128 i, int128 j, uint256 dx, uint256 minDy) external payable;
    function exchange_underlying(int128 i, int128 j, uint256 dx, uint256 minDy) external;
    function remove_liquidity_one_coin(uint256 amount, int128 i, uint256 least) external;
}

/// Where coins are added as a list; older pools take an array as long as their coins.
interface ICurveListPool {
    function add_liquidity(uint256[] calldata amounts, uint256 least) external payable;
}

interface ICurveCryptoPool {
    function exchange(uint256 i, uint256 j, uint256 dx, uint256 minDy) external;
}

/// Lido's wstETH, and what is like it.
interface IRateToken {
    function wrap(uint256 amount) external;
    function unwrap(uint256 amount) external;
}

/// MakerDAO's DssLitePsm, and what is like it.
interface IPsm {
    function sellGem(address usr, uint256 gemAmt) external;
    function buyGem(address usr, uint256 gemAmt) external;
    function tin() external view returns (uint256);
    function tout() external view returns (uint256);
    function to18ConversionFactor() external view returns (uint256);
}

struct SingleSwap {
    bytes32 poolId;
    /// 0 gives the amount in, 1 the amount out.
    uint8 kind;
    address assetIn;
    address assetOut;
    uint256 amount;
    bytes userData;
}

struct BatchSwapStep {
    bytes32 poolId;
    uint256 assetInIndex;
    uint256 assetOutIndex;
    uint256 amount;
    bytes userData;
}

struct FundManagement {
    address sender;
    bool fromInternalBalance;
    address recipient;
    bool toInternalBalance;
}

interface IBalancerV2Vault {
    function swap(SingleSwap calldata singleSwap, FundManagement calldata funds, uint256 limit, uint256 deadline)
        external
        payable
        returns (uint256 amountCalculated);
    function queryBatchSwap(
        uint8 kind,
        BatchSwapStep[] calldata swaps,
        address[] calldata assets,
        FundManagement calldata funds
    ) external returns (int256[] memory assetDeltas);
}

struct VaultSwapParams {
    /// 0 gives the amount in, 1 the amount out.
    uint8 kind;
    address pool;
    address tokenIn;
    address tokenOut;
    uint256 amountGivenRaw;
    uint256 limitRaw;
    bytes userData;
}

struct BufferWrapOrUnwrapParams {
    /// 0 gives the amount in, 1 the amount out.
    uint8 kind;
    /// 0 wraps, 1 unwraps.
    uint8 direction;
    address wrappedToken;
    uint256 amountGivenRaw;
    uint256 limitRaw;
}

interface IBalancerV3Vault {
    /// Calls its caller back with exactly `data`, and passes on exactly what that returns.
    function unlock(bytes calldata data) external returns (bytes memory result);
    function swap(VaultSwapParams calldata params)
        external
        returns (uint256 amountCalculatedRaw, uint256 amountInRaw, uint256 amountOutRaw);
    function erc4626BufferWrapOrUnwrap(BufferWrapOrUnwrapParams calldata params)
        external
        returns (uint256 amountCalculatedRaw, uint256 amountInRaw, uint256 amountOutRaw);
    function settle(address token, uint256 amountHint) external returns (uint256 credit);
    function sendTo(address token, address to, uint256 amount) external;
}

interface IVault {
    function deposit(uint256 assets, address receiver) external returns (uint256 shares);
    function redeem(uint256 shares, address receiver, address owner) external returns (uint256 assets);
    function mint(uint256 shares, address receiver) external returns (uint256 assets);
    function withdraw(uint256 assets, address receiver, address owner) external returns (uint256 shares);
    function previewMint(uint256 shares) external view returns (uint256 assets);
    function previewWithdraw(uint256 assets) external view returns (uint256 shares);
}
