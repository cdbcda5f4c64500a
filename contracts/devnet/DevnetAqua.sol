// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {IERC20} from "@openzeppelin/contracts/interfaces/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

/// A ledger with the interface of 1inch's Aqua: what an app may take of a maker's wallet for a strategy, by token. A strategy that
/// was docked stays so.
contract DevnetAqua {
    using SafeERC20 for IERC20;

    event Shipped(address maker, address app, bytes32 strategyHash, bytes strategy);
    event Docked(address maker, address app, bytes32 strategyHash);
    event Pulled(address maker, address app, bytes32 strategyHash, address token, uint256 amount);
    event Pushed(address maker, address app, bytes32 strategyHash, address token, uint256 amount);

    error NotActive(bytes32 strategyHash, address token);
    error ShippedBefore(bytes32 strategyHash);

    uint8 private constant DOCKED = 0xff;

    struct Entry {
        uint248 amount;
        /// Tokens of the strategy; zero where there is none.
        uint8 tokens;
    }

    mapping(bytes32 key => mapping(address token => Entry)) private entries;

    function ship(address app, bytes calldata strategy, address[] calldata tokens, uint256[] calldata amounts)
        external
        returns (bytes32 strategyHash)
    {
        strategyHash = keccak256(strategy);
        emit Shipped(msg.sender, app, strategyHash, strategy);
        for (uint256 i = 0; i < tokens.length; ++i) {
            Entry storage entry = _entry(msg.sender, app, strategyHash, tokens[i]);
            if (entry.tokens != 0) revert ShippedBefore(strategyHash);
            (entry.amount, entry.tokens) = (uint248(amounts[i]), uint8(tokens.length));
            emit Pushed(msg.sender, app, strategyHash, tokens[i], amounts[i]);
        }
    }

    function dock(address app, bytes32 strategyHash, address[] calldata tokens) external {
        for (uint256 i = 0; i < tokens.length; ++i) {
            Entry storage entry = _entry(msg.sender, app, strategyHash, tokens[i]);
            if (entry.tokens != tokens.length) revert NotActive(strategyHash, tokens[i]);
            (entry.amount, entry.tokens) = (0, DOCKED);
        }
        emit Docked(msg.sender, app, strategyHash);
    }

    function pull(address maker, bytes32 strategyHash, address token, uint256 amount, address to) external {
        _entry(maker, msg.sender, strategyHash, token).amount -= uint248(amount);
        IERC20(token).safeTransferFrom(maker, to, amount);
        emit Pulled(maker, msg.sender, strategyHash, token, amount);
    }

    function push(address maker, address app, bytes32 strategyHash, address token, uint256 amount) external {
        _active(maker, app, strategyHash, token).amount += uint248(amount);
        IERC20(token).safeTransferFrom(msg.sender, maker, amount);
        emit Pushed(maker, app, strategyHash, token, amount);
    }

    function rawBalances(address maker, address app, bytes32 strategyHash, address token)
        external
        view
        returns (uint248, uint8)
    {
        Entry storage entry = _entry(maker, app, strategyHash, token);
        return (entry.amount, entry.tokens);
    }

    function safeBalances(address maker, address app, bytes32 strategyHash, address token0, address token1)
        external
        view
        returns (uint256, uint256)
    {
        return (
            _active(maker, app, strategyHash, token0).amount,
            _active(maker, app, strategyHash, token1).amount
        );
    }

    function _active(address maker, address app, bytes32 strategyHash, address token)
        private
        view
        returns (Entry storage entry)
    {
        entry = _entry(maker, app, strategyHash, token);
        if (entry.tokens == 0 || entry.tokens == DOCKED) revert NotActive(strategyHash, token);
    }

    function _entry(address maker, address app, bytes32 strategyHash, address token)
        private
        view
        returns (Entry storage)
    {
        return entries[keccak256(abi.encode(maker, app, strategyHash))][token];
    }
}
