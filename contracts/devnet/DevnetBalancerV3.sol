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

struct DeskWrap {
    /// 0: exact-in, 1: exact-out.
    uint8 kind;
    /// 0: wraps, 1: unwraps.
    uint8 direction;
    address wrapped;
    uint256 amountGiven;
    uint256 limit;
}

/// What a trade with a buffer takes and pays; then what it leaves: the buffer's balances of asset and shares, and the
/// totals of the ERC-4626 vault.
struct Wrapped {
    uint256 amountIn;
    uint256 amountOut;
    uint256 assets;
    uint256 shares;
    uint256 totalAssets;
    uint256 totalSupply;
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
    function initializeBuffer(
        address wrapped,
        uint256 amountUnderlying,
        uint256 amountWrapped,
        uint256 minShares,
        address owner
    ) external returns (uint256 shares);
    function erc4626BufferWrapOrUnwrap(DeskWrap memory params)
        external
        returns (uint256 calculated, uint256 amountIn, uint256 amountOut);
    function getBufferBalance(address wrapped) external view returns (uint256 underlyingAmount, uint256 wrappedAmount);
}

interface IDeskToken {
    function transfer(address to, uint256 amount) external;
    function transferFrom(address from, address to, uint256 amount) external;
}

interface IDeskShares {
    function asset() external view returns (address);
    function totalAssets() external view returns (uint256);
    function totalSupply() external view returns (uint256);
}

/// Makes Balancer V3's contracts at known addresses, fills its pools and buffers, trades with them and asks what a trade
/// would do. Tokens come from the caller by approval. For the devnet and for tests.
contract DevnetBalancerV3 {
    error Asked(uint256 amount);
    error AskedToWrap(Wrapped answer);
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

    /// Makes the buffer of an ERC-4626 vault and fills it.
    function fillBuffer(IDeskVault vault, address wrapped, uint256 assets, uint256 shares) external {
        openVault = address(vault);
        vault.unlock(abi.encodeCall(this.whileOpenFillBuffer, (vault, msg.sender, wrapped, assets, shares)));
        openVault = address(0);
    }

    /// Pays `cost` first, as whoever trades with a buffer that may be short has to.
    function wrapOrUnwrap(IDeskVault vault, DeskWrap calldata params, uint256 cost) external {
        openVault = address(vault);
        vault.unlock(abi.encodeCall(this.whileOpenWrap, (vault, msg.sender, params, cost)));
        openVault = address(0);
    }

    /// What a trade with a buffer would do that is paid with `cost` of what lies here. Reverts with the vault's own error
    /// where it would; changes nothing.
    function quoteBuffer(IDeskVault vault, DeskWrap calldata params, uint256 cost) external returns (Wrapped memory) {
        try this.askBuffer(vault, params, cost) {}
        catch (bytes memory answer) {
            if (bytes4(answer) == AskedToWrap.selector) {
                assembly ("memory-safe") {
                    return(add(answer, 36), sub(mload(answer), 4))
                }
            }
            assembly ("memory-safe") {
                revert(add(answer, 32), mload(answer))
            }
        }
        revert("not asked");
    }

    function askBuffer(IDeskVault vault, DeskWrap calldata params, uint256 cost) external {
        openVault = address(vault);
        vault.unlock(abi.encodeCall(this.whileOpenAskBuffer, (vault, params, cost)));
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

    function whileOpenFillBuffer(IDeskVault vault, address payer, address wrapped, uint256 assets, uint256 shares)
        external
    {
        check();
        address asset = IDeskShares(wrapped).asset();
        vault.initializeBuffer(wrapped, assets, shares, 0, payer);
        IDeskToken(asset).transferFrom(payer, address(vault), assets);
        vault.settle(asset, assets);
        IDeskToken(wrapped).transferFrom(payer, address(vault), shares);
        vault.settle(wrapped, shares);
    }

    function whileOpenWrap(IDeskVault vault, address payer, DeskWrap calldata params, uint256 cost) external {
        check();
        (address sold, address bought) = tokensOf(params);
        IDeskToken(sold).transferFrom(payer, address(vault), cost);
        vault.settle(sold, cost);
        (,, uint256 amountOut) = vault.erc4626BufferWrapOrUnwrap(params);
        vault.sendTo(bought, payer, amountOut);
    }

    function whileOpenAskBuffer(IDeskVault vault, DeskWrap calldata params, uint256 cost) external {
        check();
        (address sold,) = tokensOf(params);
        IDeskToken(sold).transfer(address(vault), cost);
        vault.settle(sold, cost);
        Wrapped memory answer;
        (, answer.amountIn, answer.amountOut) = vault.erc4626BufferWrapOrUnwrap(params);
        (answer.assets, answer.shares) = vault.getBufferBalance(params.wrapped);
        answer.totalAssets = IDeskShares(params.wrapped).totalAssets();
        answer.totalSupply = IDeskShares(params.wrapped).totalSupply();
        revert AskedToWrap(answer);
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

    function tokensOf(DeskWrap calldata params) private view returns (address sold, address bought) {
        address asset = IDeskShares(params.wrapped).asset();
        return params.direction == 0 ? (asset, params.wrapped) : (params.wrapped, asset);
    }

    function check() private view {
        if (msg.sender != openVault) revert NotTheVault(msg.sender);
    }
}
