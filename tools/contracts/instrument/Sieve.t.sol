// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

interface ISieveVm {
    function deal(address account, uint256 balance) external;
    function envString(string calldata name) external view returns (string memory);
    function readFileBinary(string calldata path) external view returns (bytes memory);
    function revertToState(uint256 snapshot) external returns (bool);
    function snapshotState() external returns (uint256);
    function stopPrank() external;
}

interface ISuite {
    function setUp() external;
}

/// Calls tests of one suite with one fault after another awake, and says which call has failed (instrument/sieve.ts). What a
/// call has done is taken back, so that one world serves all of them.
contract FaultSieve {
    ISieveVm private constant VM = ISieveVm(address(uint160(uint256(keccak256("hevm cheat code")))));
    address private constant CONSOLE = 0x000000000000000000636F6e736F6c652e6c6f67;
    /// Holds the number of the fault that is awake.
    address private constant FAULT = address(0xfa17);
    /// A fault that never ends is one that is seen.
    uint256 private constant MOST_GAS = 1 << 27;

    address private suite;

    function setUp() external {
        bytes memory code = VM.readFileBinary(VM.envString("SIEVE_SUITE"));
        address made;
        assembly ("memory-safe") {
            made := create(0, add(code, 32), mload(code))
        }
        ISuite(made).setUp();
        suite = made;
    }

    function test_sieve() external {
        (bytes[] memory calls, uint256[] memory faults) =
            abi.decode(VM.readFileBinary(VM.envString("SIEVE_CALLS")), (bytes[], uint256[]));
        uint256 world = VM.snapshotState();
        bool[] memory passes = new bool[](calls.length);
        for (uint256 i = 0; i < calls.length; ++i) passes[i] = _passes(world, calls[i], 0);
        for (uint256 i = 0; i < faults.length; ++i) {
            for (uint256 j = 0; j < calls.length; ++j) {
                if (!passes[j] || _passes(world, calls[j], faults[i])) continue;
                // It is the fault, and nothing that an earlier failure has left in forge.
                if (!_passes(world, calls[j], 0) || _passes(world, calls[j], faults[i])) continue;
                _say("seen", faults[i], j);
                break;
            }
        }
        for (uint256 j = 0; j < calls.length; ++j) {
            if (!passes[j]) _say("unfit", 0, j);
        }
        _say("done", faults.length, calls.length);
    }

    function _passes(uint256 world, bytes memory data, uint256 fault) private returns (bool done) {
        VM.deal(FAULT, fault);
        bytes memory reason;
        (done, reason) = suite.call{gas: MOST_GAS}(data);
        // `vm.assume` leaves inputs out.
        if (keccak256(reason) == keccak256("FOUNDRY::ASSUME")) done = true;
        // What is pending in forge is no part of the world.
        VM.stopPrank();
        VM.revertToState(world);
    }

    function _say(string memory what, uint256 first, uint256 second) private view {
        (bool done,) = CONSOLE.staticcall(abi.encodeWithSignature("log(string,uint256,uint256)", what, first, second));
        require(done, "not said");
    }
}
