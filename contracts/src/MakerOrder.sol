// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

/// A market maker's order, as its maker signs it.
struct MakerOrder {
    /// Whose tokens are sold.
    address maker;
    /// The only contract that may fill, and that answers for the trader.
    address taker;
    /// The end taker.
    address trader;
    address makerToken;
    address takerToken;
    /// What all of `takerAmount` brings; a part brings at most its part, rounded down.
    uint128 makerAmount;
    uint128 takerAmount;
    /// The least that one fill may bring.
    uint128 minTakerAmount;
    /// Unix seconds; the last second in which it may be filled.
    uint64 expiry;
    /// Used up by the first fill.
    uint256 nonce;
    /// Whether what the first fill leaves may be filled later.
    bool refillable;
}

interface IOrderSettlement {
    /// Sells `makerAmount` of the maker's token to `recipient` for `takerAmount` that was sent here before.
    function fill(
        MakerOrder calldata order,
        bytes calldata signature,
        uint256 takerAmount,
        uint256 makerAmount,
        address recipient
    ) external;
}
