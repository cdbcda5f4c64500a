// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

/// Somebody who is paid native token, as the taker of a fee or as a caller who gets back what was not spent, and does what
/// it was told to when that comes.
contract NativeReceiver {
    enum Mood {
        Take,
        PayADebt,
        CallBack,
        Refuse,
        BurnGas,
        AnswerAtLength
    }

    Mood public mood;
    address private callee;
    uint256 private debt;
    bytes private callData;
    bool public called;
    bool public succeeded;
    bytes public answer;

    function feel(Mood mood_) external {
        mood = mood_;
    }

    /// What it calls when it is paid: `debt_` of native token is owed to the callee anyway.
    function plan(address callee_, uint256 debt_, bytes calldata callData_) external {
        (callee, debt, callData) = (callee_, debt_, callData_);
    }

    /// Calls anybody for anybody, and passes on why it failed: it is a test's.
    function run(address to, bytes calldata data) external payable {
        _run(to, data, msg.value);
    }

    /// The same of two calls, the second with the value.
    function runBoth(address first, bytes calldata firstData, address second, bytes calldata secondData)
        external
        payable
    {
        _run(first, firstData, 0);
        _run(second, secondData, msg.value);
    }

    function _run(address to, bytes calldata data, uint256 value) private {
        (bool done, bytes memory reason) = to.call{value: value}(data);
        if (done) return;
        assembly ("memory-safe") {
            revert(add(reason, 32), mload(reason))
        }
    }

    receive() external payable {
        if (mood == Mood.Refuse) revert("no, thanks");
        if (mood == Mood.BurnGas) {
            while (true) {}
        }
        if (mood == Mood.AnswerAtLength) {
            assembly ("memory-safe") {
                return(0, 250000)
            }
        }
        if (mood == Mood.PayADebt || mood == Mood.CallBack) {
            called = true;
            (succeeded, answer) = callee.call{value: mood == Mood.PayADebt ? debt : 0}(callData);
        }
    }
}
