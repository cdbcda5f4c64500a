// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {PoolKey, SwapParams} from "../src/venues/UniswapV4.sol";

interface IUnlocked {
    function unlockCallback(bytes calldata data) external returns (bytes memory);
}

/// Calls back on behalf of somebody else's lock.
contract LockAccomplice {
    function callBack(IUnlocked executor, bytes calldata data) external returns (bytes memory) {
        return executor.unlockCallback(data);
    }
}

/// A contract that claims to be Uniswap V4's PoolManager and does what it was told instead.
contract FakeManager {
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

    function unlock(bytes calldata data) external returns (bytes memory answer) {
        IUnlocked executor = IUnlocked(msg.sender);
        if (trick == Trick.NeverAsk) return abi.encode(uint256(1), uint256(1));
        if (trick == Trick.LetAnotherAsk) return accomplice.callBack(executor, data);
        if (trick == Trick.ChangeTheData) {
            bytes memory changed = data;
            changed[changed.length - 1] ^= 0x01;
            return executor.unlockCallback(changed);
        }
        answer = executor.unlockCallback(data);
        if (trick == Trick.AskTwice) executor.unlockCallback(data);
        if (trick == Trick.LieInTheAnswer) {
            if (answer.length == 0) return hex"ff";
            (uint256 paid, uint256 bought) = abi.decode(answer, (uint256, uint256));
            return abi.encode(paid, 2 * bought);
        }
    }

    function swap(PoolKey calldata, SwapParams calldata params, bytes calldata) external view returns (int256) {
        int256 amount = params.amountSpecified < 0 ? -params.amountSpecified : params.amountSpecified;
        (int256 owed, int256 gained) = (-amount, amount);
        if (trick == Trick.AskForTooMuch) owed -= 1;
        if (trick == Trick.TakeLess) owed += 1;
        if (trick == Trick.AskForNothing) owed = 0;
        if (trick == Trick.OweOutput) gained = -1;
        (int256 delta0, int256 delta1) = params.zeroForOne ? (owed, gained) : (gained, owed);
        return (delta0 << 128) | int256(uint256(uint128(uint256(delta1))));
    }

    function sync(address) external {}

    function settle() external payable returns (uint256) {
        return 0;
    }

    /// Pays out nothing, whatever it said before.
    function take(address, address, uint256) external {}
}
