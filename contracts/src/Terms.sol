// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

/// What the caller of a plain swap agrees to.
struct Terms {
    address executor;
    address sellToken;
    /// Exact-in: what is sold. Exact-out: the most that may be sold.
    uint256 maxSellAmount;
    address buyToken;
    /// The least that reaches the recipient, after the fee. Above zero.
    uint256 minBuyAmount;
    /// Zero: the caller.
    address recipient;
    /// Unix seconds; the last second in which the swap may happen.
    uint256 deadline;
    /// Parts per million of what is bought; zero with a zero recipient means no fee.
    uint256 feeRatePpm;
    address feeRecipient;
}

/// One of the fees of an order.
struct Fee {
    address recipient;
    /// Parts per million, above zero, of what is bought or sold.
    uint256 ratePpm;
}

/// What the owner of the sold tokens agrees to: terms, with a share of its balance, several fees and a share of surplus.
struct Order {
    address executor;
    address sellToken;
    /// The most that is sold, fees on the sold token included. Exact-in sells all of it.
    uint256 maxSellAmount;
    address buyToken;
    /// The least that reaches the recipient, after fees, for `maxSellAmount`. Above zero.
    uint256 minBuyAmount;
    /// Zero: the owner.
    address recipient;
    /// Unix seconds; the last second in which the swap may happen.
    uint256 deadline;
    /// Four at the most.
    Fee[] fees;
    /// Whether fees are taken of the sold token. They are taken of the bought one otherwise.
    bool feesFromSold;
    /// Zero, or billionths of the owner's balance: where that is less than `maxSellAmount` it is sold instead, and the
    /// minimum shrinks with it, rounded up.
    uint256 balanceShare;
    /// Zero without a share of surplus; else at least `minBuyAmount`, and as that for `maxSellAmount` and after fees. All
    /// that comes beyond it is surplus.
    uint256 quotedBuyAmount;
    /// Parts per million of the surplus that go to `surplusRecipient`; zero with a zero recipient means that all of it is
    /// the recipient's.
    uint256 surplusPpm;
    address surplusRecipient;
}

/// A transfer of Permit2's that `owner` signed, with the order and its payload as its witness.
struct Permit2Transfer {
    uint256 nonce;
    address owner;
    bytes signature;
}
