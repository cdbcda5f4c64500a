// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

interface IRamsesPool {
    function fee() external view returns (uint24);
    function initialize(uint160 sqrtPriceX96) external;
}

/// A factory with Ramses V3's interface: pools by tick spacing, announced as Uniswap V3's are. The pools are Uniswap V3's, byte
/// for byte; in them a fee cannot be changed, so that nobody changes one here.
contract RamsesFactory {
    struct Parameters {
        address factory;
        address token0;
        address token1;
        uint24 fee;
        int24 tickSpacing;
    }

    event PoolCreated(
        address indexed token0, address indexed token1, uint24 indexed fee, int24 tickSpacing, address pool
    );
    event TickSpacingEnabled(int24 indexed tickSpacing, uint24 indexed fee);

    address public immutable owner;
    /// Holds the pool's creation code behind one byte that no call runs past.
    address private immutable _codeHolder;

    Parameters public parameters;
    mapping(int24 tickSpacing => uint24) public tickSpacingToFee;
    mapping(address => mapping(address => mapping(int24 => address))) public getPool;
    address[] public allPools;

    constructor(bytes memory creationCode, address owner_) {
        bytes memory holder =
            abi.encodePacked(hex"61", uint16(creationCode.length + 1), hex"80600a3d393df3", hex"00", creationCode);
        address created;
        assembly ("memory-safe") {
            created := create(0, add(holder, 32), mload(holder))
        }
        require(created != address(0), "the code does not fit");
        (_codeHolder, owner) = (created, owner_);
        _enable(1, 100);
        _enable(50, 500);
        _enable(100, 500);
        _enable(200, 3_000);
        _enable(2_000, 10_000);
    }

    function enableTickSpacing(int24 tickSpacing, uint24 fee) external {
        require(msg.sender == owner && tickSpacingToFee[tickSpacing] == 0, "not the owner, or there already");
        _enable(tickSpacing, fee);
    }

    function createPool(address a, address b, int24 tickSpacing, uint160 sqrtPriceX96) external returns (address pool) {
        (address token0, address token1) = a < b ? (a, b) : (b, a);
        uint24 fee = tickSpacingToFee[tickSpacing];
        require(a != b && fee != 0 && getPool[a][b][tickSpacing] == address(0), "no such pool can be created");
        parameters = Parameters(address(this), token0, token1, fee, tickSpacing);
        bytes32 salt = keccak256(abi.encode(token0, token1, tickSpacing));
        address holder = _codeHolder;
        assembly ("memory-safe") {
            let size := sub(extcodesize(holder), 1)
            let code := mload(0x40)
            extcodecopy(holder, code, 1, size)
            pool := create2(0, code, size, salt)
        }
        require(pool != address(0), "no pool was created");
        delete parameters;
        getPool[token0][token1][tickSpacing] = pool;
        getPool[token1][token0][tickSpacing] = pool;
        allPools.push(pool);
        emit PoolCreated(token0, token1, fee, tickSpacing, pool);
        if (sqrtPriceX96 != 0) IRamsesPool(pool).initialize(sqrtPriceX96);
    }

    function getSwapFee(address pool) external view returns (uint24) {
        return IRamsesPool(pool).fee();
    }

    function _enable(int24 tickSpacing, uint24 fee) private {
        require(tickSpacing > 0 && tickSpacing < 16_384 && fee > 0 && fee <= 100_000, "out of range");
        tickSpacingToFee[tickSpacing] = fee;
        emit TickSpacingEnabled(tickSpacing, fee);
    }
}
