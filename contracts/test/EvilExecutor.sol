// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

interface IGatewayPull {
    function pull(address to, uint256 amount) external;
}

interface IEvilToken {
    function transfer(address to, uint256 amount) external returns (bool);
}

/// An executor that takes `take` of the sold token for itself and pays `give` of the bought one out of its own pocket.
/// The payload is `abi.encode(take, give)`.
contract EvilExecutor {
    receive() external payable {}

    function execute(address, uint256, address buyToken, address payTo, bytes calldata payload)
        external
        payable
        returns (uint256)
    {
        (uint256 take, uint256 give) = abi.decode(payload, (uint256, uint256));
        if (take > 0) IGatewayPull(msg.sender).pull(address(this), take);
        if (give > 0) IEvilToken(buyToken).transfer(payTo, give);
        return type(uint256).max;
    }

    function pullFrom(address gateway, uint256 amount) external {
        IGatewayPull(gateway).pull(address(this), amount);
    }
}

/// An executor that takes all that it may, twice.
contract GreedyExecutor {
    function execute(address, uint256 sellAmount, address, address, bytes calldata)
        external
        payable
        returns (uint256)
    {
        IGatewayPull(msg.sender).pull(address(this), sellAmount);
        IGatewayPull(msg.sender).pull(address(this), sellAmount);
        return type(uint256).max;
    }
}

/// Runs two calls in one transaction, each from an account of its own: the first by `victim`, the second by this.
contract OneTransaction {
    receive() external payable {}

    function run(Keeper victim, address gateway, bytes calldata first, bytes calldata second) external payable {
        victim.run(gateway, first);
        (bool done, bytes memory reason) = gateway.call{value: msg.value}(second);
        if (done) return;
        assembly ("memory-safe") {
            revert(add(reason, 32), mload(reason))
        }
    }
}

interface IApprove {
    function approve(address spender, uint256 amount) external returns (bool);
}

/// An account that anybody may make swap, as a vault that is worked by keepers.
contract Keeper {
    function approve(address token, address spender) external {
        IApprove(token).approve(spender, type(uint256).max);
    }

    function run(address gateway, bytes calldata data) external {
        (bool done,) = gateway.call(data);
        require(done, "the keeper's swap failed");
    }
}

/// Takes no native token.
contract Refuser {
    function swap(address gateway, bytes calldata data) external payable {
        (bool done, bytes memory reason) = gateway.call{value: msg.value}(data);
        if (done) return;
        assembly ("memory-safe") {
            revert(add(reason, 32), mload(reason))
        }
    }
}
