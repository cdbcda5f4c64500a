// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {BinFeeTerms, DevnetBinPair} from "./DevnetBinPair.sol";

/// A factory of bin pairs with the interface of Liquidity Book: one pair of two tokens and a bin step, whichever is X.
contract DevnetBinFactory {
    event LBPairCreated(
        address indexed tokenX, address indexed tokenY, uint256 indexed binStep, address LBPair, uint256 pid
    );

    struct Information {
        uint16 binStep;
        address pair;
        bool createdByOwner;
        bool ignoredForRouting;
    }

    address public immutable owner;
    /// Whether its pairs are of version 2.2.
    bool public immutable hooked;
    mapping(uint16 => BinFeeTerms) private _presets;
    mapping(address => mapping(address => mapping(uint16 => address))) private _pairs;
    address[] private _all;

    constructor(address owner_, bool hooked_) {
        (owner, hooked) = (owner_, hooked_);
    }

    modifier onlyOwner() {
        require(msg.sender == owner, "not the owner");
        _;
    }

    function setPreset(uint16 binStep, BinFeeTerms calldata terms) external onlyOwner {
        _presets[binStep] = terms;
    }

    function createLBPair(address x, address y, uint24 activeId, uint16 binStep) external returns (address pair) {
        (address a, address b) = x < y ? (x, y) : (y, x);
        require(a != b && _pairs[a][b][binStep] == address(0), "pair exists");
        pair = address(new DevnetBinPair(x, y, binStep, activeId, _presets[binStep], hooked));
        _pairs[a][b][binStep] = pair;
        _all.push(pair);
        emit LBPairCreated(x, y, binStep, pair, _all.length - 1);
    }

    function getNumberOfLBPairs() external view returns (uint256) {
        return _all.length;
    }

    function getLBPairInformation(address x, address y, uint256 binStep) external view returns (Information memory) {
        (address a, address b) = x < y ? (x, y) : (y, x);
        return Information(uint16(binStep), _pairs[a][b][uint16(binStep)], false, false);
    }

    function setFeesParametersOnPair(DevnetBinPair pair, BinFeeTerms calldata terms) external onlyOwner {
        pair.setStaticFeeParameters(terms);
    }

    function forceDecay(DevnetBinPair pair) external onlyOwner {
        pair.forceDecay();
    }

    function setLBHooksParametersOnPair(DevnetBinPair pair, bytes32 hooks) external onlyOwner {
        pair.setHooksParameters(hooks);
    }
}
