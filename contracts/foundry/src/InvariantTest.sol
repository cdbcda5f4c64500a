// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

/// A suite of invariants over one handler, whose functions forge calls in any order.
abstract contract InvariantTest {
    struct FuzzSelector {
        address addr;
        bytes4[] selectors;
    }

    address internal target;
    bytes4[] internal called;

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = target;
    }

    function targetSelectors() external view returns (FuzzSelector[] memory list) {
        list = new FuzzSelector[](1);
        list[0] = FuzzSelector(target, called);
    }
}
