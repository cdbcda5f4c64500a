// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {IERC20} from "@openzeppelin/contracts/interfaces/IERC20.sol";
import {DevnetDodoPool} from "./DevnetDodoPool.sol";

/// Makes pools of DODO V2's kinds and announces them as its three factories do.
contract DevnetDodoFactory {
    event NewDVM(address baseToken, address quoteToken, address creator, address dvm);
    event NewDPP(address baseToken, address quoteToken, address creator, address dpp);
    event NewDSP(address baseToken, address quoteToken, address creator, address DSP);

    address private immutable maintainer;

    constructor(address maintainer_) {
        maintainer = maintainer_;
    }

    /// The kind is the second letter of the version: "DVM 1.0.2", "DPP 1.0.0", "DSP 1.0.1".
    function create(string calldata version, address base, address quote) external returns (address pool) {
        pool = address(new DevnetDodoPool(version, IERC20(base), IERC20(quote), msg.sender, maintainer));
        bytes1 kind = bytes(version)[1];
        if (kind == "V") emit NewDVM(base, quote, msg.sender, pool);
        else if (kind == "P") emit NewDPP(base, quote, msg.sender, pool);
        else emit NewDSP(base, quote, msg.sender, pool);
    }
}
