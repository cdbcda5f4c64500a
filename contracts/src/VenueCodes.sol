// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

// Made by tools/contracts/venue-codes.ts of contracts/venue-codes.json: change that.
// Venues as payloads number them, with the bytes that a fill has for each: field (bytes).

// Pool: the pair.
// Detail: feePpm (3).
uint256 constant V2_PAIR = 0;

// Pool: the pool, of Uniswap V3's kind.
uint256 constant V3_POOL = 1;

// Pool: zero.
uint256 constant WRAPPED_NATIVE = 2;

// Pool: the pool.
// Detail: feePpm (3).
uint256 constant SOLIDLY_POOL = 3;

// Pool: the pool.
// Detail: function (1: which of the pool's functions, as numbered in CurvePools.sol), sold (1: the number of the coin sold), bought (1: the number of the coin bought; of a coin added, how many there are).
uint256 constant CURVE_POOL = 4;

// Pool: the vault.
uint256 constant ERC4626_VAULT = 5;

// Pool: the OrderSettlement.
// Detail: entries (3: how many further fills follow).
// Then: maker (20), makerAmount (16), takerAmount (16), minTakerAmount (16), expiry (8), nonce (32), refillable (1), signatureLength (2: of the signature, which follows).
uint256 constant MAKER_ORDER = 6;

// Pool: the pool, with which its id begins.
// Detail: idMiddle (3: bytes 20 to 22 of the pool's id).
// Then: vault (20), idEnd (9: the last bytes of the pool's id).
uint256 constant BALANCER_V2_POOL = 7;

// Pool: the pool.
uint256 constant PANCAKE_V3_POOL = 8;

// Pool: the pool.
uint256 constant ALGEBRA_POOL = 9;

// Pool: the PoolManager.
// Detail: fee (3: of its key).
// Then: tickSpacing (3), hooks (20).
uint256 constant V4_POOL = 10;

// Pool: the vault.
// Then: pool (20).
uint256 constant BALANCER_V3_POOL = 11;

// Pool: the token.
uint256 constant RATE_TOKEN = 12;

// Pool: the module.
// Detail: sellsGem (3: 1 sells gem to it, 0 buys gem from it).
uint256 constant PSM = 13;

// Pool: the vault of Balancer.
// Then: wrapped (20: the ERC-4626 vault).
uint256 constant BALANCER_V3_BUFFER = 14;

// Pool: the pair.
// Detail: sellsX (3: 1 sells X to it, 0 sells Y to it).
uint256 constant LB_PAIR = 15;

// Pool: the contract that quotes and swaps.
// Detail: draws (3: 1 draws what is sold by an approval, 0 is sent it first).
uint256 constant PROP_AMM = 20;

// Pool: the CLPoolManager.
// Detail: fee (3: of its key).
// Then: parameters (5: of its key: the tick spacing, then two bytes of which hooks are called), hooks (20).
uint256 constant INFINITY_CL_POOL = 21;

// Pool: the Liquidity layer, which pays.
// Detail: sells0 (1: 1 sells token 0, 0 sells token 1), digits (2: decimals of what is bought beyond twelve).
// Then: pool (20).
uint256 constant FLUID_POOL = 22;

// Pool: the pool.
uint256 constant PANGOLIN_V3_POOL = 23;

// Pool: the BinPoolManager.
// Detail: fee (3: of its key).
// Then: parameters (5: of its key: the bin step, then two bytes of which hooks are called), hooks (20).
uint256 constant INFINITY_BIN_POOL = 24;

// Pool: the Core.
// Detail: configEnd (3: the last bytes of its key's config).
// Then: configBegin (29: of its key's config: the extension, eight bytes of the fee, the first byte of the kind).
uint256 constant EKUBO_POOL = 25;

// Pool: the pool.
uint256 constant WOOFI_POOL = 26;

// Pool: the pool.
// Detail: sellsBase (3: 1 sells the base token to it, 0 sells the quote token).
uint256 constant DODO_POOL = 27;

// Pool: the contract of the maker's that settles it.
// Detail: function (1: which of such contracts' functions, as numbered in RfqOrders.sol), entries (2: how many further fills follow).
// Then: makerAmount (16), takerAmount (16), argumentsLength (2: of the function's arguments, which follow).
uint256 constant RFQ_ORDER = 28;

// Pool: the router.
// Detail: entries (3: how many further fills follow).
// Then: maker (20), traits (32), dataLength (2: of the order's data, which follows).
uint256 constant AQUA_ORDER = 29;

// Pool: the pool.
uint256 constant EULER_SWAP_POOL = 31;

// Pool: the pool.
// Detail: sellsAAndTick (3: the highest bit sells token A to it; the others are the last tick, counted from -2^22 on).
uint256 constant MAVERICK_POOL = 30;

// Pool: the margin account, which holds all tokens.
// Detail: sellsBase (1: 1 sells the base token to it, 0 sells the quote token), decimals (1: of what is sold), digits (1: in which the market counts what is sold).
// Then: market (20).
uint256 constant KURU_MARKET = 32;

// The venues of which further fills say more, a bit each.
uint256 constant SAYS_MORE = 1 << MAKER_ORDER | 1 << BALANCER_V2_POOL | 1 << V4_POOL | 1 << BALANCER_V3_POOL | 1 << BALANCER_V3_BUFFER | 1 << INFINITY_CL_POOL | 1 << FLUID_POOL | 1 << INFINITY_BIN_POOL | 1 << EKUBO_POOL | 1 << RFQ_ORDER | 1 << AQUA_ORDER | 1 << KURU_MARKET;

uint256 constant MAKER_ORDER_BYTES = 111;

function makerOrderMaker(bytes calldata more) pure returns (address) {
    return address(bytes20(more[0:20]));
}

function makerOrderMakerAmount(bytes calldata more) pure returns (uint256) {
    return uint128(bytes16(more[20:36]));
}

function makerOrderTakerAmount(bytes calldata more) pure returns (uint256) {
    return uint128(bytes16(more[36:52]));
}

function makerOrderMinTakerAmount(bytes calldata more) pure returns (uint256) {
    return uint128(bytes16(more[52:68]));
}

function makerOrderExpiry(bytes calldata more) pure returns (uint256) {
    return uint64(bytes8(more[68:76]));
}

function makerOrderNonce(bytes calldata more) pure returns (uint256) {
    return uint256(bytes32(more[76:108]));
}

function makerOrderRefillable(bytes calldata more) pure returns (uint256) {
    return uint8(bytes1(more[108:109]));
}

function makerOrderSignatureLength(bytes calldata more) pure returns (uint256) {
    return uint16(bytes2(more[109:111]));
}

uint256 constant BALANCER_V2_POOL_BYTES = 29;

function balancerV2PoolVault(bytes calldata more) pure returns (address) {
    return address(bytes20(more[0:20]));
}

function balancerV2PoolIdEnd(bytes calldata more) pure returns (uint256) {
    return uint72(bytes9(more[20:29]));
}

uint256 constant V4_POOL_BYTES = 23;

function v4PoolTickSpacing(bytes calldata more) pure returns (uint256) {
    return uint24(bytes3(more[0:3]));
}

function v4PoolHooks(bytes calldata more) pure returns (address) {
    return address(bytes20(more[3:23]));
}

uint256 constant BALANCER_V3_POOL_BYTES = 20;

function balancerV3PoolPool(bytes calldata more) pure returns (address) {
    return address(bytes20(more[0:20]));
}

uint256 constant BALANCER_V3_BUFFER_BYTES = 20;

function balancerV3BufferWrapped(bytes calldata more) pure returns (address) {
    return address(bytes20(more[0:20]));
}

uint256 constant INFINITY_CL_POOL_BYTES = 25;

function infinityClPoolParameters(bytes calldata more) pure returns (uint256) {
    return uint40(bytes5(more[0:5]));
}

function infinityClPoolHooks(bytes calldata more) pure returns (address) {
    return address(bytes20(more[5:25]));
}

uint256 constant FLUID_POOL_BYTES = 20;

function fluidPoolPool(bytes calldata more) pure returns (address) {
    return address(bytes20(more[0:20]));
}

uint256 constant INFINITY_BIN_POOL_BYTES = 25;

function infinityBinPoolParameters(bytes calldata more) pure returns (uint256) {
    return uint40(bytes5(more[0:5]));
}

function infinityBinPoolHooks(bytes calldata more) pure returns (address) {
    return address(bytes20(more[5:25]));
}

uint256 constant EKUBO_POOL_BYTES = 29;

function ekuboPoolConfigBegin(bytes calldata more) pure returns (uint256) {
    return uint232(bytes29(more[0:29]));
}

uint256 constant RFQ_ORDER_BYTES = 34;

function rfqOrderMakerAmount(bytes calldata more) pure returns (uint256) {
    return uint128(bytes16(more[0:16]));
}

function rfqOrderTakerAmount(bytes calldata more) pure returns (uint256) {
    return uint128(bytes16(more[16:32]));
}

function rfqOrderArgumentsLength(bytes calldata more) pure returns (uint256) {
    return uint16(bytes2(more[32:34]));
}

uint256 constant AQUA_ORDER_BYTES = 54;

function aquaOrderMaker(bytes calldata more) pure returns (address) {
    return address(bytes20(more[0:20]));
}

function aquaOrderTraits(bytes calldata more) pure returns (uint256) {
    return uint256(bytes32(more[20:52]));
}

function aquaOrderDataLength(bytes calldata more) pure returns (uint256) {
    return uint16(bytes2(more[52:54]));
}

uint256 constant KURU_MARKET_BYTES = 20;

function kuruMarketMarket(bytes calldata more) pure returns (address) {
    return address(bytes20(more[0:20]));
}
