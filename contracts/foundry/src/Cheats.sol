// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

/// What the suites use of forge's cheat codes (https://book.getfoundry.sh/cheatcodes).
interface Vm {
    struct Log {
        bytes32[] topics;
        bytes data;
        address emitter;
    }

    function addr(uint256 key) external pure returns (address);
    function deal(address account, uint256 balance) external;
    function etch(address target, bytes calldata code) external;
    function expectRevert() external;
    function expectRevert(bytes calldata reason) external;
    function getCode(string calldata path) external view returns (bytes memory);
    function getRecordedLogs() external returns (Log[] memory);
    function label(address account, string calldata name) external;
    function prank(address caller) external;
    function prank(address caller, address origin) external;
    function recordLogs() external;
    function sign(uint256 key, bytes32 digest) external pure returns (uint8 v, bytes32 r, bytes32 s);
    function signAndAttachDelegation(address implementation, uint256 key) external;
    function snapshotGasLastCall(string calldata group, string calldata name) external returns (uint256);
    function warp(uint256 timestamp) external;
    function startPrank(address caller, address origin) external;
    function stopPrank() external;
    function assume(bool condition) external pure;
    function envOr(string calldata name, uint256 otherwise) external view returns (uint256);
    function assertEq(uint256 left, uint256 right, string calldata what) external pure;
    function assertEq(bytes calldata left, bytes calldata right, string calldata what) external pure;
    function assertGe(uint256 left, uint256 right, string calldata what) external pure;
    function assertLe(uint256 left, uint256 right, string calldata what) external pure;
    function assertTrue(bool condition, string calldata what) external pure;
    function assertFalse(bool condition, string calldata what) external pure;
}

// Where forge keeps its cheat codes.
Vm constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

/// A value from `least` to `most`, both included, made of a fuzzed one.
function within(uint256 value, uint256 least, uint256 most) pure returns (uint256) {
    if (value >= least && value <= most) return value;
    uint256 size = most - least;
    return size == type(uint256).max ? value : least + value % (size + 1);
}
