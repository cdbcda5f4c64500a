// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

/// A price feed in the form of AggregatorV3Interface, which says what it was told.
contract PriceAggregator {
    uint8 public immutable decimals;
    uint80 private round;
    int256 private answer;
    uint256 private updatedAt;

    constructor(uint8 decimals_) {
        decimals = decimals_;
    }

    function tell(int256 answer_, uint256 updatedAt_) external {
        round += 1;
        answer = answer_;
        updatedAt = updatedAt_;
    }

    function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80) {
        require(round > 0, "No data present");
        return (round, answer, updatedAt, updatedAt, round);
    }
}
