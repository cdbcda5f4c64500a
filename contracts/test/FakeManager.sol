// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {InfinityKey} from "../src/venues/Infinity.sol";
import {PoolKey, SwapParams} from "../src/venues/UniswapV4.sol";

interface IUnlocked {
    function unlockCallback(bytes calldata data) external returns (bytes memory);
    function lockAcquired(bytes calldata data) external returns (bytes memory);
}

/// Calls back on behalf of somebody else's lock.
contract LockAccomplice {
    function callBack(address executor, bytes calldata call) external returns (bytes memory answer) {
        bool done;
        (done, answer) = executor.call(call);
        assembly ("memory-safe") {
            if iszero(done) { revert(add(answer, 32), mload(answer)) }
        }
        return abi.decode(answer, (bytes));
    }
}

/// A contract that claims to be Uniswap V4's PoolManager, PoolManager and Vault of PancakeSwap Infinity, or Ekubo's Core, and
/// does what it was told instead.
contract FakeManager is LockAccomplice {
    enum Trick {
        AskForTooMuch,
        AskTwice,
        NeverAsk,
        LetAnotherAsk,
        ChangeTheData,
        LieAboutOutput,
        AskForNothing,
        TakeLess,
        OweOutput,
        LieInTheAnswer
    }

    Trick public trick;
    LockAccomplice private immutable accomplice = new LockAccomplice();

    receive() external payable {}

    function play(Trick trick_) external {
        trick = trick_;
    }

    function unlock(bytes calldata data) external returns (bytes memory) {
        return _open(IUnlocked.unlockCallback.selector, data);
    }

    function lock(bytes calldata data) external returns (bytes memory) {
        return _open(IUnlocked.lockAcquired.selector, data);
    }

    /// As Ekubo's Core, whose arguments are packed.
    function lock() external returns (bytes memory) {
        return _open(bytes4(0), msg.data[4:]);
    }

    function vault() external view returns (address) {
        return address(this);
    }

    function _open(bytes4 callback, bytes calldata data) private returns (bytes memory answer) {
        if (trick == Trick.NeverAsk) return abi.encode(uint256(1), uint256(1));
        bytes memory asked = data;
        if (trick == Trick.ChangeTheData) asked[asked.length - 1] ^= 0x01;
        bytes memory call = callback == 0
            ? abi.encodePacked(callback, uint256(0), asked)
            : abi.encodeWithSelector(callback, asked);
        LockAccomplice by = trick == Trick.LetAnotherAsk ? accomplice : this;
        answer = by.callBack(msg.sender, call);
        if (trick == Trick.AskTwice) this.callBack(msg.sender, call);
        if (trick == Trick.LieInTheAnswer) {
            if (answer.length == 0) return hex"ff";
            (uint256 paid, uint256 bought) = abi.decode(answer, (uint256, uint256));
            return abi.encode(paid, 2 * bought);
        }
    }

    function swap(PoolKey calldata, SwapParams calldata params, bytes calldata) external view returns (int256) {
        return _claim(params);
    }

    function swap(InfinityKey calldata, SwapParams calldata params, bytes calldata) external view returns (int256) {
        return _claim(params);
    }

    function swap(InfinityKey calldata, bool xForY, int128 amount, bytes calldata) external view returns (int256) {
        return _claim(amount, xForY);
    }

    /// As Ekubo's Core: what is owed is above zero there.
    function swap_6269342730() external view returns (int256) {
        (,,, uint256 params) = abi.decode(msg.data[4:], (address, address, bytes32, uint256));
        int256 amount = int128(int256(params) >> 32);
        int256 delta = _claim(amount, (params >> 31 & 1 != 0) != (amount > 0));
        return (-(delta >> 128) << 128) | int256(uint256(uint128(-int128(delta))));
    }

    function _claim(SwapParams calldata params) private view returns (int256) {
        return _claim(params.amountSpecified, params.zeroForOne);
    }

    function _claim(int256 amount, bool zeroForOne) private view returns (int256) {
        if (amount < 0) amount = -amount;
        (int256 owed, int256 gained) = (-amount, amount);
        if (trick == Trick.AskForTooMuch) owed -= 1;
        if (trick == Trick.TakeLess) owed += 1;
        if (trick == Trick.AskForNothing) owed = 0;
        if (trick == Trick.OweOutput) gained = -1;
        (int256 delta0, int256 delta1) = zeroForOne ? (owed, gained) : (gained, owed);
        return (delta0 << 128) | int256(uint256(uint128(uint256(delta1))));
    }

    function sync(address) external {}

    function settle() external payable returns (uint256) {
        return 0;
    }

    /// Pays out nothing, whatever it said before.
    function take(address, address, uint256) external {}

    function startPayments() external {}

    function completePayments() external {}

    function withdraw() external {}
}
