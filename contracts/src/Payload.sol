// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {AQUA_ORDER, MAKER_ORDER, RFQ_ORDER, SAYS_MORE, makerOrderTakerAmount, rfqOrderTakerAmount} from "./VenueCodes.sol";

// The payload of a route, as the executor and its parts read it.
//
// Exact-in: a zero byte; the number of intermediate tokens (1 byte) and their addresses (20 bytes each); then fills of
// 30 bytes in execution order:
//   1 venue and destination: low six bits the venue, high two bits where the output goes
//   1 index of the token it takes: 0 = sold, 1 = bought, 2 and up = intermediate tokens
//   1 index of the token it gives
//   4 share: the part, in billionths, of what is left of the token; a whole billion takes the rest
//   3 detail, with a meaning of the venue's own
//  20 pool
//
// Exact-out: a one byte; the amount to make of the bought token (32 bytes); tokens as above; then fills of the same 30
// bytes, back to front: those that take a token stand before those that make it. Other than above:
//   1 high two bits: 1 where what it takes comes to its pool straight from those that make it, or 0
//   4 share: the part, in billionths, of what is still needed of the token it gives, rounded up
//
// Venues, with their pool, their detail (zero where it has no meaning) and what follows the fill to say more of it, are in
// VenueCodes.sol. What follows has as many bytes as whole further fills have, zeros at the end.

uint256 constant FILL = 30;
uint256 constant TOKEN = 20;
// The first byte of the rest of an exact-out. An encoded LockedSwap begins with a zero byte.
bytes1 constant REST = 0x01;

error InvalidPayload();
/// A venue drew less than it was to sell, or a pool sold less than it was asked for.
error PartialFill(address pool);

/// One fill of a payload, its 30 bytes in the high end of a word.
type Fill is uint256;

using {venueOf, destinationOf, soldOf, boughtOf, shareOf, detailOf, poolOf} for Fill global;

function venueOf(Fill fill) pure returns (uint256) {
    return (Fill.unwrap(fill) >> 248) & 0x3f;
}

function destinationOf(Fill fill) pure returns (uint256) {
    return Fill.unwrap(fill) >> 254;
}

function soldOf(Fill fill) pure returns (uint256) {
    return uint8(Fill.unwrap(fill) >> 240);
}

function boughtOf(Fill fill) pure returns (uint256) {
    return uint8(Fill.unwrap(fill) >> 232);
}

function shareOf(Fill fill) pure returns (uint256) {
    return uint32(Fill.unwrap(fill) >> 200);
}

function detailOf(Fill fill) pure returns (uint256) {
    return uint24(Fill.unwrap(fill) >> 176);
}

function poolOf(Fill fill) pure returns (address) {
    return address(uint160(Fill.unwrap(fill) >> 16));
}

function fillAt(bytes calldata fills, uint256 at) pure returns (Fill) {
    return Fill.wrap(uint256(bytes32(bytes30(fills[at:at + FILL]))));
}

/// Whether further fills are there only to say more of this one.
function saysMore(uint256 venue) pure returns (bool) {
    return SAYS_MORE >> venue & 1 != 0;
}

/// Whether a fill is of a maker's order, which takes no more than it says.
function isOrder(uint256 venue) pure returns (bool) {
    return (1 << MAKER_ORDER | 1 << RFQ_ORDER) >> venue & 1 != 0;
}

/// The most that a maker's order takes.
function mostOfOrder(uint256 venue, bytes calldata more) pure returns (uint256) {
    return venue == MAKER_ORDER ? makerOrderTakerAmount(more) : rfqOrderTakerAmount(more);
}

/// What is there to say more of a fill, of the bytes after it. The low bytes of an order's detail say how many fills.
function moreOf(Fill fill, bytes calldata rest) pure returns (bytes calldata) {
    uint256 venue = fill.venueOf();
    return rest[:FILL * (isOrder(venue) || venue == AQUA_ORDER ? fill.detailOf() & 0xffff : 1)];
}

function tokenAt(bytes memory tokens, uint256 index) pure returns (address token) {
    uint256 end = (index + 1) * TOKEN;
    if (end > tokens.length) revert InvalidPayload();
    assembly ("memory-safe") {
        token := and(mload(add(tokens, end)), 0xffffffffffffffffffffffffffffffffffffffff)
    }
}

/// An exact-out from here on, as a callback has it: how many intermediate tokens there are, all tokens, the fills.
function writeRest(bytes memory tokens, bytes calldata fills) pure returns (bytes memory) {
    return abi.encodePacked(REST, uint8(tokens.length / TOKEN - 2), tokens, fills);
}

function readRest(bytes calldata data) pure returns (bytes memory tokens, bytes calldata fills) {
    uint256 end = 2 + TOKEN * (2 + uint256(uint8(data[1])));
    return (data[2:end], data[end:]);
}
