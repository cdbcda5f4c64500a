// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

/// Calls a callback by its name's selector, and passes on why it was refused.
function callBackTo(address executor, bytes4 name, int256 amount0, int256 amount1, bytes memory data) {
    (bool done, bytes memory reason) = executor.call(abi.encodeWithSelector(name, amount0, amount1, data));
    if (done) return;
    assembly ("memory-safe") {
        revert(add(reason, 32), mload(reason))
    }
}

interface IFakePoolToken {
    function transfer(address to, uint256 amount) external returns (bool);
}

/// Calls back on behalf of somebody else's pool.
contract Accomplice {
    function callBack(address executor, bytes4 name, int256 amount0, int256 amount1, bytes calldata data) external {
        callBackTo(executor, name, amount0, amount1, data);
    }
}

/// A contract that claims to be a concentrated pool of any dialect and does what it was told instead of swapping.
contract FakePool {
    enum Trick {
        AskForTooMuch,
        AskTwice,
        NeverAsk,
        LetAnotherAsk,
        ChangeTheData,
        LieAboutOutput,
        AskForNothing,
        TakeLess,
        PayAndAskForThrice
    }

    Trick public trick;
    bytes4 public callback;
    /// What it pays out when it pays: it has some of it.
    address public pays;
    Accomplice private immutable accomplice = new Accomplice();

    function play(Trick trick_, bytes4 callback_) external {
        (trick, callback) = (trick_, callback_);
    }

    function payWith(address token) external {
        pays = token;
    }

    function swap(address to, bool zeroForOne, int256 amount, uint160, bytes calldata data)
        external
        returns (int256, int256)
    {
        address executor = msg.sender;
        int256 owed = amount > 0 ? amount : -amount;
        if (trick == Trick.AskForTooMuch) owed += 1;
        if (trick == Trick.TakeLess) owed -= 1;
        if (trick == Trick.AskForNothing) owed = 0;
        int256 paid = owed;
        if (trick == Trick.PayAndAskForThrice) {
            IFakePoolToken(pays).transfer(to, uint256(paid));
            owed *= 3;
        }
        (int256 owed0, int256 owed1) = zeroForOne ? (owed, int256(-1)) : (int256(-1), owed);
        if (trick == Trick.LetAnotherAsk) {
            accomplice.callBack(executor, callback, owed0, owed1, data);
        } else if (trick == Trick.ChangeTheData) {
            callBackTo(executor, callback, owed0, owed1, bytes.concat(data, hex"00"));
        } else if (trick != Trick.NeverAsk) {
            callBackTo(executor, callback, owed0, owed1, data);
        }
        if (trick == Trick.AskTwice) callBackTo(executor, callback, owed0, owed1, data);
        return zeroForOne ? (owed, -paid) : (-paid, owed);
    }
}
