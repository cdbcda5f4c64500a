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
    BALANCER_V3_BUFFER
} from "./VenueCodes.sol";

address constant CURVE_POOLS = 0x861d730DBdaB0B9a5d55eD3c6ac0Ba4121Af8e59;
address constant ERC4626_VAULTS = 0xA19fa9fC42FcAB34311Ea096380a6e8B8DB2aEc0;
address constant MAKER_ORDERS = 0x4a6d0b159399e981DbB29B77a7f07458596AFD98;
address constant BALANCER_V2 = 0xaC7c4ef3D2474D9aBfc84f879bc97D2aA1EE4591;
address constant BALANCER_V3 = 0x108c1C685adc2F5AC0F28754F3D6E4f1146321F1;
address constant RATE_TOKENS = 0x8d5F9DFf2ad65fD195E302Ae262D5e3A80849a37;
address constant STABILITY_MODULES = 0x9c1b0059694fA45045eC9cDB6fA118CD8D7855fe;

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
    revert InvalidPayload();
}
