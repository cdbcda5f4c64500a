// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

/// A maker that is a contract: what its owner's key signs is valid, or whatever it was told to say instead.
contract MakerWallet {
    enum Mood {
        AskTheOwner,
        SayYes,
        SayNo,
        SayYesAndMore,
        SayYesInShort,
        SayYesDirtily,
        BurnGas,
        AnswerAtLength,
        Revert,
        CallBack
    }

    bytes4 private constant YES = 0x1626ba7e;

    address private immutable owner;
    Mood public mood;
    address private callee;
    bytes private callData;

    constructor(address owner_) {
        owner = owner_;
    }

    function feel(Mood mood_) external {
        mood = mood_;
    }

    /// What it tries while it is asked.
    function plan(address callee_, bytes calldata callData_) external {
        (callee, callData) = (callee_, callData_);
    }

    /// Does anything for anybody: it is a test's.
    function run(address to, bytes calldata data) external {
        (bool done,) = to.call(data);
        require(done, "the wallet's call failed");
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external returns (bytes4) {
        if (mood == Mood.AskTheOwner) {
            (bytes32 r, bytes32 s, uint8 v) = abi.decode(signature, (bytes32, bytes32, uint8));
            return ecrecover(hash, v, r, s) == owner ? YES : bytes4(0xffffffff);
        }
        if (mood == Mood.SayNo) return 0xffffffff;
        if (mood == Mood.Revert) revert("never");
        if (mood == Mood.BurnGas) {
            while (true) {}
        }
        if (mood == Mood.CallBack) {
            // Whoever asks has to allow no more than looking, and this fails.
            (bool done,) = callee.call(callData);
            return done ? YES : bytes4(0xffffffff);
        }
        Mood mood_ = mood;
        assembly ("memory-safe") {
            let free := mload(0x40)
            mstore(free, YES)
            if eq(mood_, 3) { return(free, 64) }
            if eq(mood_, 4) { return(free, 31) }
            if eq(mood_, 5) {
                mstore(free, or(YES, 1))
                return(free, 32)
            }
            if eq(mood_, 7) { return(free, 250000) }
        }
        return YES;
    }
}
