// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

/// A margin account as Kuru's: it holds the tokens of all markets, and pays whom a market of its router says.
contract DevnetKuruAccount {
    using SafeERC20 for IERC20;

    error OnlyVerifiedMarketsAllowed();
    error ProtocolPaused();

    event ProtocolStateUpdated(bool newState);

    address private immutable router = msg.sender;
    mapping(address market => bool) public verifiedMarket;
    bool private paused;

    modifier protocolActive() {
        require(!paused, ProtocolPaused());
        _;
    }

    receive() external payable {}

    function updateMarkets(address market) external {
        require(msg.sender == router, "not the router");
        verifiedMarket[market] = true;
    }

    function toggleProtocolState(bool paused_) external {
        paused = paused_;
        emit ProtocolStateUpdated(paused_);
    }

    /// Nobody has tokens of his own here.
    function batchWithdrawMaxTokens(address[] calldata) external protocolActive {}

    function pay(address token, address to, uint256 amount) external protocolActive {
        require(verifiedMarket[msg.sender], OnlyVerifiedMarketsAllowed());
        if (token != address(0)) {
            IERC20(token).safeTransfer(to, amount);
        } else {
            (bool done,) = to.call{value: amount}("");
            require(done, "not paid");
        }
    }
}
