// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

// Made by tools/contracts/compile-contracts.ts of the parts' code and contracts/venue-codes.json: the CREATE2 addresses at which the
// standard deployer puts exactly that code.

import {InvalidPayload} from "./Payload.sol";
import {
    CURVE_POOL,
    ERC4626_VAULT,
    MAKER_ORDER,
    BALANCER_V2_POOL,
    BALANCER_V3_POOL,
    RATE_TOKEN,
    PSM,
    BALANCER_V3_BUFFER,
    LB_PAIR,
    PROP_AMM,
    FLUID_POOL,
    WOOFI_POOL,
    DODO_POOL,
    RFQ_ORDER,
    AQUA_ORDER,
    EULER_SWAP_POOL,
    MAVERICK_POOL,
    KURU_MARKET
} from "./VenueCodes.sol";

address constant CURVE_POOLS = 0x9Ce85410dFcdB0821473d8537ea34DB2567f4271;
address constant ERC4626_VAULTS = 0xd5eD263dc777014Fb1c1D3FeFDCa547e80A33c28;
address constant MAKER_ORDERS = 0xA4d0819BF13C5EEE1b9d8aFCDe579A501130aD5F;
address constant BALANCER_V2 = 0x5F0B7291bAaeDe3911597C65Cfd4821f9c309De2;
address constant BALANCER_V3 = 0x1c9d0c67207F7768E26c02B3E1D857D9Bf2790DB;
address constant RATE_TOKENS = 0xbc78f6455D4811444052E919053A6dE326d632Ba;
address constant STABILITY_MODULES = 0xe670fd4D8E8eaf9170B4ed53577Fc1647DE5bfC9;
address constant LIQUIDITY_BOOK = 0x5e9D4B7CCfd522F45D2C2F580D01c72053C57aBf;
address constant PROP_AMMS = 0x563d0B082c8f6Cd5458246fC084Ba348396E88a5;
address constant FLUID_POOLS = 0xD96D2a28Ac08048387aE3fF90518CB46F5056FB3;
address constant PAID_POOLS = 0xe3DF7187E57304a82Fb3f8Ec671eac9830520d5d;
address constant RFQ_ORDERS = 0x23D28F178eD7bA07BC4FE0aBA8a6180b24239847;
address constant AQUA_ORDERS = 0x56eb337308c43C7e6751320FC422B5e43d5dcE7b;
address constant MAVERICK_POOLS = 0xdbdcD78b1b80A0A44a9e903f5ca0Cc69553D21c4;
address constant KURU_MARKETS = 0x155a86c99585d00E24EDb1af078185B3A5e3a6E6;

/// The part that trades with a venue.
function partOf(uint256 venue) pure returns (address) {
    if (venue == CURVE_POOL) return CURVE_POOLS;
    if (venue == ERC4626_VAULT) return ERC4626_VAULTS;
    if (venue == MAKER_ORDER) return MAKER_ORDERS;
    if (venue == BALANCER_V2_POOL) return BALANCER_V2;
    if (venue == BALANCER_V3_POOL) return BALANCER_V3;
    if (venue == RATE_TOKEN) return RATE_TOKENS;
    if (venue == PSM) return STABILITY_MODULES;
    if (venue == BALANCER_V3_BUFFER) return BALANCER_V3;
    if (venue == LB_PAIR) return LIQUIDITY_BOOK;
    if (venue == PROP_AMM) return PROP_AMMS;
    if (venue == FLUID_POOL) return FLUID_POOLS;
    if (venue == WOOFI_POOL) return PAID_POOLS;
    if (venue == DODO_POOL) return PAID_POOLS;
    if (venue == RFQ_ORDER) return RFQ_ORDERS;
    if (venue == AQUA_ORDER) return AQUA_ORDERS;
    if (venue == EULER_SWAP_POOL) return PAID_POOLS;
    if (venue == MAVERICK_POOL) return MAVERICK_POOLS;
    if (venue == KURU_MARKET) return KURU_MARKETS;
    revert InvalidPayload();
}
