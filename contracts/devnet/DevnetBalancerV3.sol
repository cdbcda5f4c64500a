// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

struct DeskSwap {
    /// 0: exact-in, 1: exact-out.
    uint8 kind;
    address pool;
    address tokenIn;
    address tokenOut;
    uint256 amountGiven;
    uint256 limit;
    bytes userData;
}

interface IDeskVault {
    function unlock(bytes calldata data) external returns (bytes memory);
    function settle(address token, uint256 amountHint) external returns (uint256 credit);
    function sendTo(address token, address to, uint256 amount) external;
    function swap(DeskSwap memory params) external returns (uint256 calculated, uint256 amountIn, uint256 amountOut);
    function initialize(
        address pool,
        address to,
        address[] memory tokens,
        uint256[] memory amounts,
        uint256 minShares,
        bytes memory userData
    ) external returns (uint256 shares);
}

interface IDeskToken {
    function transferFrom(address from, address to, uint256 amount) external;
}

/// Makes Balancer V3's contracts at known addresses, fills its pools, swaps on them and asks what a swap would do. Tokens
/// come from the caller by approval. For the devnet and for tests.
contract DevnetBalancerV3 {
    error Asked(uint256 amount);
    error NotTheVault(address caller);

    address private transient openVault;

    function create(bytes calldata code) external returns (address made) {
        bytes memory initCode = code;
        assembly ("memory-safe") {
            made := create(0, add(initCode, 32), mload(initCode))
        }
        require(made != address(0), "not made");
    }

    /// Has a factory create a pool and fills it.
    function make(
        IDeskVault vault,
        address factory,
        bytes calldata creation,
        address[] calldata tokens,
        uint256[] calldata amounts
    ) external {
        (bool done, bytes memory answer) = factory.call(creation);
        require(done, "not created");
        initialize(vault, abi.decode(answer, (address)), tokens, amounts);
    }

    function initialize(IDeskVault vault, address pool, address[] calldata tokens, uint256[] calldata amounts) public {
        openVault = address(vault);
        vault.unlock(abi.encodeCall(this.whileOpenInitialize, (vault, msg.sender, pool, tokens, amounts)));
        openVault = address(0);
    }

    function swap(IDeskVault vault, DeskSwap calldata params) external {
        openVault = address(vault);
        vault.unlock(abi.encodeCall(this.whileOpenSwap, (vault, msg.sender, params)));
        openVault = address(0);
    }

    /// What a swap would pay or cost. Reverts with the vault's own error where it would; changes nothing.
    function quote(IDeskVault vault, DeskSwap calldata params) external returns (uint256 amount) {
        try this.ask(vault, params) {}
        catch (bytes memory answer) {
            if (answer.length == 36 && bytes4(answer) == Asked.selector) {
                assembly ("memory-safe") {
                    amount := mload(add(answer, 36))
                }
            } else {
                assembly ("memory-safe") {
                    revert(add(answer, 32), mload(answer))
                }
            }
        }
    }

    function ask(IDeskVault vault, DeskSwap calldata params) external {
        openVault = address(vault);
        vault.unlock(abi.encodeCall(this.whileOpenAsk, (vault, params)));
    }

    function whileOpenAsk(IDeskVault vault, DeskSwap calldata params) external {
        check();
        (uint256 calculated,,) = vault.swap(params);
        revert Asked(calculated);
    }

    function whileOpenSwap(IDeskVault vault, address payer, DeskSwap calldata params) external {
        check();
        (, uint256 amountIn, uint256 amountOut) = vault.swap(params);
        IDeskToken(params.tokenIn).transferFrom(payer, address(vault), amountIn);
        vault.settle(params.tokenIn, amountIn);
        vault.sendTo(params.tokenOut, payer, amountOut);
    }

    function whileOpenInitialize(
        IDeskVault vault,
        address payer,
        address pool,
        address[] calldata tokens,
        uint256[] calldata amounts
    ) external {
        check();
        vault.initialize(pool, payer, tokens, amounts, 0, "");
        for (uint256 i = 0; i < tokens.length; i++) {
            IDeskToken(tokens[i]).transferFrom(payer, address(vault), amounts[i]);
            vault.settle(tokens[i], amounts[i]);
        }
    }

    function check() private view {
        if (msg.sender != openVault) revert NotTheVault(msg.sender);
    }
}
