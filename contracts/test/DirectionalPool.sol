// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

/// Creates and announces pools with one fee for each direction, as Camelot V3's factory does.
contract DirectionalFactory {
    event Pool(address indexed token0, address indexed token1, address pool);

    mapping(address => mapping(address => address)) public poolByPair;

    /// `poolCode`: creation code of a pool of Algebra's first version.
    function createPool(address token0, address token1, bytes calldata poolCode) external {
        DirectionalPool pool = new DirectionalPool(token0, token1);
        pool.open(poolCode);
        poolByPair[token0][token1] = address(pool);
        poolByPair[token1][token0] = address(pool);
        emit Pool(token0, token1, address(pool));
    }
}

/// A pool with the interface of Algebra's directional version, as far as it differs from the first: two fees in
/// `globalState()` and in the event, and a table of all ticks. All else is done by a pool of the first version, whose code
/// runs on this contract's storage and asks it for the fee of each swap. Fees are worked out in the first swap of a block, of
/// what was set and of the time. The storage begins where the other pool's does not reach.
contract DirectionalPool layout at 0x8000000000000000000000000000000000000000000000000000000000000000 {
    event Fee(uint16 feeZto, uint16 feeOtz);

    int256 private constant SPACING = 60;
    uint256 private constant GLOBAL_STATE_WORDS = 7;

    address private immutable factory = msg.sender;
    address private immutable token0;
    address private immutable token1;

    /// The pool of the first version that has the code.
    address private model;
    /// What fees are worked out of, parts per million: where token 0 goes in, where token 1 does.
    uint16[2] private bases = [500, 500];
    uint16[2] private fees;
    uint256 private workedOutAt;

    bool private transient swapping;
    bool private transient zeroForOne;

    constructor(address token0_, address token1_) {
        (token0, token1) = (token0_, token1_);
    }

    function open(bytes memory poolCode) external {
        address created;
        assembly ("memory-safe") {
            created := create(0, add(poolCode, 32), mload(poolCode))
        }
        require(created != address(0) && model == address(0), "no pool, or there already");
        model = created;
    }

    function setBases(uint16 ofToken0, uint16 ofToken1) external {
        bases = [ofToken0, ofToken1];
    }

    function swap(address, bool zeroForOne_, int256, uint160, bytes calldata) external {
        if (workedOutAt != block.timestamp) {
            uint16 drift = uint16((block.timestamp / 30) % 900);
            fees = [bases[0] + drift, bases[1] + 2 * drift];
            workedOutAt = block.timestamp;
        }
        (swapping, zeroForOne) = (true, zeroForOne_);
        bytes memory answer = _ask(msg.data);
        swapping = false;
        // After the model's own event, which has the fee of this direction alone.
        emit Fee(fees[0], fees[1]);
        assembly ("memory-safe") {
            return(add(answer, 32), mload(answer))
        }
    }

    function globalState() external {
        bytes memory all = _ask(msg.data);
        require(all.length == 32 * GLOBAL_STATE_WORDS, "another version's state");
        uint256[GLOBAL_STATE_WORDS] memory words = abi.decode(all, (uint256[7]));
        bytes memory answer =
            abi.encode(words[0], words[1], fees[0], fees[1], words[3], words[4], words[5], words[6]);
        assembly ("memory-safe") {
            return(add(answer, 32), mload(answer))
        }
    }

    /// Which of the ticks from `256 * row` on are initialized; the model's table has every 60th only.
    function tickTable(int16 row) external returns (uint256 ticks) {
        int256 first = int256(row) * 256;
        int256 known = type(int256).max;
        uint256 word;
        for (int256 tick = first + ((-first % SPACING) + SPACING) % SPACING; tick < first + 256; tick += SPACING) {
            int256 step = tick / SPACING;
            if (step >> 8 != known) {
                known = step >> 8;
                word = abi.decode(_ask(abi.encodeCall(this.tickTable, (int16(known)))), (uint256));
            }
            if ((word >> uint8(uint256(step))) & 1 == 1) ticks |= 1 << uint256(tick - first);
        }
    }

    /// What the model is created with, by its deployer: the contract that keeps past prices, factory, tokens.
    function parameters() external view returns (address, address, address, address) {
        return (address(this), factory, token0, token1);
    }

    /// The rest is what the model asks of the contract that keeps past prices. There are none here.
    function initialize(uint32, int24) external {}

    /// Another index than before has the model ask for the fee.
    function write(uint16 index, uint32, int24, uint128, uint128) external view returns (uint16) {
        unchecked {
            return swapping ? index + 1 : index;
        }
    }

    function getFee(uint32, int24, uint16, uint128) external view returns (uint16) {
        return fees[zeroForOne ? 0 : 1];
    }

    function getSingleTimepoint(uint32, uint32, int24, uint16, uint128)
        external
        pure
        returns (int56, uint160, uint112, uint256)
    {
        return (0, 0, 0, 0);
    }

    function calculateVolumePerLiquidity(uint128, int256, int256) external pure returns (uint128) {
        return 0;
    }

    fallback() external {
        bytes memory answer = _ask(msg.data);
        assembly ("memory-safe") {
            return(add(answer, 32), mload(answer))
        }
    }

    /// What the model's code answers on this contract's storage.
    function _ask(bytes memory data) private returns (bytes memory answer) {
        bool succeeded;
        (succeeded, answer) = model.delegatecall(data);
        if (succeeded) return answer;
        assembly ("memory-safe") {
            revert(add(answer, 32), mload(answer))
        }
    }
}
