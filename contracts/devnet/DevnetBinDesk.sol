// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {IClPoolManager, IInfinityVault} from "../src/venues/Infinity.sol";
import {DevnetLockDesk, IDeskHolder} from "./DevnetLockDesk.sol";

/// Makes calls of a BinPoolManager of PancakeSwap Infinity under the Vault's lock and settles what they come to. For the devnet
/// and tests only.
contract DevnetBinDesk is DevnetLockDesk {
    address public immutable manager;
    address public immutable vault;

    bool private transient tries;

    constructor(IClPoolManager manager_) {
        manager = address(manager_);
        vault = manager_.vault();
    }

    function run(address currency0, address currency1, bytes calldata call) external payable {
        IInfinityVault(vault).lock(abi.encode(msg.sender, currency0, currency1, call));
    }

    /// What a call comes to, of currency 0 in the upper half, without making it.
    function quote(bytes calldata call) external returns (int256) {
        tries = true;
        try IInfinityVault(vault).lock(call) {
            revert("the call was made");
        } catch (bytes memory reason) {
            tries = false;
            if (reason.length == 32) return abi.decode(reason, (int256));
            assembly ("memory-safe") {
                revert(add(reason, 32), mload(reason))
            }
        }
    }

    function lockAcquired(bytes calldata data) external returns (bytes memory) {
        require(msg.sender == vault, "not the vault");
        if (!tries) {
            _runAndSettle(IDeskHolder(vault), manager, data);
            return "";
        }
        (, bytes memory answer) = manager.call(data);
        assembly ("memory-safe") {
            revert(add(answer, 32), mload(answer))
        }
    }
}
