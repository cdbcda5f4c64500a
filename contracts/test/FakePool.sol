// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

interface ICallback {
    function uniswapV3SwapCallback(int256 amount0, int256 amount1, bytes calldata data) external;
}

interface IFakePoolToken {
    function transfer(address to, uint256 amount) external returns (bool);
}

/// Calls back on behalf of somebody else's pool.
contract Accomplice {
    function callBack(ICallback executor, int256 amount0, int256 amount1, bytes calldata data) external {
        executor.uniswapV3SwapCallback(amount0, amount1, data);
    }
}

/// A contract that claims to be a V3 pool and does what it was told instead of swapping.
contract FakePool {
    enum Trick {
        AskForTooMuch,
        AskTwice,
        NeverAsk,
        LetAnotherAsk,
        ChangeTheData,
        LieAboutOutput,
        AskForNothing,
        TakeLess
    }

    Trick public trick;
    Accomplice private immutable accomplice = new Accomplice();

    function play(Trick trick_) external {
        trick = trick_;
    }

    function swap(address, bool zeroForOne, int256 amount, uint160, bytes calldata data)
        external
        returns (int256, int256)
    {
        ICallback executor = ICallback(msg.sender);
        int256 owed = amount > 0 ? amount : -amount;
        if (trick == Trick.AskForTooMuch) owed += 1;
        if (trick == Trick.TakeLess) owed -= 1;
        if (trick == Trick.AskForNothing) owed = 0;
        (int256 owed0, int256 owed1) = zeroForOne ? (owed, int256(-1)) : (int256(-1), owed);
        if (trick == Trick.LetAnotherAsk) {
            accomplice.callBack(executor, owed0, owed1, data);
        } else if (trick == Trick.ChangeTheData) {
            executor.uniswapV3SwapCallback(owed0, owed1, bytes.concat(data, hex"00"));
        } else if (trick != Trick.NeverAsk) {
            executor.uniswapV3SwapCallback(owed0, owed1, data);
        }
        if (trick == Trick.AskTwice) executor.uniswapV3SwapCallback(owed0, owed1, data);
        return zeroForOne ? (owed, -owed) : (-owed, owed);
    }
}
