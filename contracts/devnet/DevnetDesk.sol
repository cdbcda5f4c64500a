// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

interface IDeskPool {
    function token0() external view returns (address);
    function token1() external view returns (address);
    function mint(address owner, int24 lower, int24 upper, uint128 liquidity, bytes calldata data) external;
    function burn(int24 lower, int24 upper, uint128 liquidity) external;
    /// Algebra's.
    function mint(address leftovers, address owner, int24 lower, int24 upper, uint128 liquidity, bytes calldata data)
        external;
    /// Algebra's.
    function burn(int24 lower, int24 upper, uint128 liquidity, bytes calldata data) external;
    function swap(address recipient, bool zeroForOne, int256 amount, uint160 limit, bytes calldata data)
        external
        returns (int256 amount0, int256 amount1);
}

interface IDeskToken {
    function transferFrom(address from, address to, uint256 amount) external;
}

/// Gives liquidity to, and swaps on, concentrated pools whose makers publish no router: all pools that ask for their
/// payment by a callback with two amounts and bytes, whatever its name. What is owed comes from the caller, who has
/// approved this contract. For the devnet only: positions belong to the desk and anybody may burn them.
contract DevnetDesk {
    error Quoted(int256 amount0, int256 amount1, uint160 sqrtPrice);

    uint160 private constant LOWEST = 4295128740;
    uint160 private constant HIGHEST = 1461446703485210103287273052203988822378723970341;

    address private transient busyPool;
    address private transient payer;
    /// The pool's function whose first word is its price, while a swap is only tried.
    bytes4 private transient priceFunction;

    function mint(IDeskPool pool, int24 lower, int24 upper, uint128 liquidity) external {
        (busyPool, payer) = (address(pool), msg.sender);
        pool.mint(address(this), lower, upper, liquidity, "");
        busyPool = address(0);
    }

    function burn(IDeskPool pool, int24 lower, int24 upper, uint128 liquidity) external {
        pool.burn(lower, upper, liquidity);
    }

    function mintAlgebra(IDeskPool pool, int24 lower, int24 upper, uint128 liquidity) external {
        (busyPool, payer) = (address(pool), msg.sender);
        pool.mint(address(this), address(this), lower, upper, liquidity, "");
        busyPool = address(0);
    }

    function burnAlgebra(IDeskPool pool, int24 lower, int24 upper, uint128 liquidity) external {
        pool.burn(lower, upper, liquidity, "");
    }

    /// `amount` above zero is sold, below zero bought.
    function swap(IDeskPool pool, bool zeroForOne, int256 amount) public returns (int256 amount0, int256 amount1) {
        (busyPool, payer) = (address(pool), msg.sender);
        (amount0, amount1) = pool.swap(msg.sender, zeroForOne, amount, zeroForOne ? LOWEST : HIGHEST, "");
        busyPool = address(0);
    }

    /// What a swap would move, and the price that it would leave. Moves nothing.
    function quote(IDeskPool pool, bool zeroForOne, int256 amount, bytes4 priceFunction_)
        external
        returns (int256 amount0, int256 amount1, uint160 sqrtPrice)
    {
        (busyPool, priceFunction) = (address(pool), priceFunction_);
        try pool.swap(address(1), zeroForOne, amount, zeroForOne ? LOWEST : HIGHEST, "") {
            revert("the pool did not ask to be paid");
        } catch (bytes memory reason) {
            bool known = reason.length == 100 && bytes4(reason) == Quoted.selector;
            assembly ("memory-safe") {
                if iszero(known) { revert(add(reason, 32), mload(reason)) }
                amount0 := mload(add(reason, 36))
                amount1 := mload(add(reason, 68))
                sqrtPrice := mload(add(reason, 100))
            }
        }
        (busyPool, priceFunction) = (address(0), 0);
    }

    /// Every callback: the two amounts that are owed stand first.
    fallback() external {
        require(msg.sender == busyPool, "not the pool that was called");
        (int256 amount0, int256 amount1) = abi.decode(msg.data[4:], (int256, int256));
        if (priceFunction != 0) {
            (, bytes memory state) = msg.sender.staticcall(abi.encodeWithSelector(priceFunction));
            revert Quoted(amount0, amount1, uint160(uint256(bytes32(state))));
        }
        if (amount0 > 0) _pay(IDeskPool(msg.sender).token0(), uint256(amount0));
        if (amount1 > 0) _pay(IDeskPool(msg.sender).token1(), uint256(amount1));
    }

    function _pay(address token, uint256 amount) private {
        IDeskToken(token).transferFrom(payer, msg.sender, amount);
    }
}
