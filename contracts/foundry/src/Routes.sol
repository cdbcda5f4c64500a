// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

// Payloads for the executor, as contracts/src/Payload.sol describes them.

uint32 constant WHOLE = 1_000_000_000;

uint8 constant TO_EXECUTOR = 0;
uint8 constant TO_PAYEE = 1;
uint8 constant TO_NEXT = 2;

/// One fill; `destination` is one of the three above, or what an exact-out has there.
function fillOf(
    uint256 venue,
    uint8 destination,
    uint8 sold,
    uint8 bought,
    uint32 share,
    uint24 detail,
    address pool
) pure returns (bytes memory) {
    return abi.encodePacked(uint8(venue | uint256(destination) << 6), sold, bought, share, detail, pool);
}

/// What follows a fill: filled up to whole fills.
function moreBytes(bytes memory more) pure returns (bytes memory) {
    uint256 entries = (more.length + 29) / 30;
    return bytes.concat(more, new bytes(entries * 30 - more.length));
}

function exactIn(address[] memory between, bytes memory fills) pure returns (bytes memory) {
    return bytes.concat(hex"00", _tokens(between), fills);
}

function exactOut(uint256 amount, address[] memory between, bytes memory fills) pure returns (bytes memory) {
    return bytes.concat(hex"01", bytes32(amount), _tokens(between), fills);
}

function _tokens(address[] memory between) pure returns (bytes memory list) {
    list = abi.encodePacked(uint8(between.length));
    for (uint256 i = 0; i < between.length; ++i) list = bytes.concat(list, abi.encodePacked(between[i]));
}

function none() pure returns (address[] memory) {
    return new address[](0);
}

function one(address token) pure returns (address[] memory list) {
    list = new address[](1);
    list[0] = token;
}
