// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

/// An oracle with the views of WOOFi's WooracleV2_2 and what it documents of them: its owner posts prices without an event, one
/// moment for all; they are good for some seconds and near a reference price, and a reference may stand in for stale ones.
contract DevnetWooOracle {
    struct State {
        uint128 price;
        uint64 spread;
        uint64 coeff;
        bool woFeasible;
    }

    struct Info {
        uint128 price;
        uint64 coeff;
        uint64 spread;
        uint256 refPrice;
        bool prefersRef;
        uint128 min;
        uint128 max;
    }

    uint256 private constant ONE = 1e18;

    address public immutable owner;
    address public wooPP;
    uint256 public timestamp;
    uint256 public staleDuration = 300;
    uint64 public bound = 0.01e18;
    mapping(address => Info) public infos;

    constructor(address owner_) {
        owner = owner_;
    }

    modifier onlyOwner() {
        require(msg.sender == owner, "WooracleV2_2: !Admin");
        _;
    }

    function set(address wooPP_, uint256 staleDuration_, uint64 bound_) external onlyOwner {
        (wooPP, staleDuration, bound) = (wooPP_, staleDuration_, bound_);
    }

    /// Posts a token's state, of this moment.
    function post(address base, uint128 price, uint64 spread, uint64 coeff, uint256 at) external onlyOwner {
        Info storage info = infos[base];
        (info.price, info.spread, info.coeff, timestamp) = (price, spread, coeff, at);
    }

    function refer(address base, uint256 refPrice, bool prefersRef, uint128 min, uint128 max) external onlyOwner {
        Info storage info = infos[base];
        (info.refPrice, info.prefersRef, info.min, info.max) = (refPrice, prefersRef, min, max);
    }

    /// The pool's own posts leave the moment as it is, and widen the spread by the price's way.
    function postPrice(address base, uint128 price) external {
        require(msg.sender == wooPP, "WooracleV2_2: !Admin");
        Info storage info = infos[base];
        (uint256 before, uint256 spread) = (info.price, info.spread);
        if (before != 0 && price != 0 && spread < ONE) {
            (uint256 low, uint256 high) = price < before ? (uint256(price), before) : (before, uint256(price));
            uint256 kept = ONE * ONE * low / high / (ONE - spread);
            if (kept < ONE && ONE - kept > spread) info.spread = uint64(ONE - kept);
        }
        info.price = price;
    }

    function decimals(address) external pure returns (uint8) {
        return 8;
    }

    function isWoFeasible(address base) public view returns (bool) {
        return infos[base].price != 0 && block.timestamp <= timestamp + staleDuration;
    }

    function state(address base) external view returns (State memory) {
        Info memory info = infos[base];
        (uint256 price, bool feasible) = (info.price, true);
        if (isWoFeasible(base)) {
            uint256 ref = info.refPrice;
            feasible = ref != 0 && ref * (ONE - bound) / ONE <= price && price <= ref * (ONE + bound) / ONE;
        } else {
            price = info.prefersRef ? info.refPrice : 0;
            feasible = price != 0;
        }
        if (feasible) {
            require(price > info.min, "WooracleV2_2: !min");
            require(price < info.max, "WooracleV2_2: !max");
        }
        return State(uint128(price), info.spread, info.coeff, feasible);
    }
}
