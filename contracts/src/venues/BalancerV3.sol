// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {BALANCER_V3_BUFFER} from "../VenueCodes.sol";
import {LockedPart} from "../VenuePart.sol";
import {IVault} from "./Erc4626Vaults.sol";
import {LockedSwap} from "./UniswapV4.sol";

struct VaultSwapParams {
    /// 0 gives the amount in, 1 the amount out.
    uint8 kind;
    address pool;
    address tokenIn;
    address tokenOut;
    uint256 amountGivenRaw;
    uint256 limitRaw;
    bytes userData;
}

struct BufferWrapOrUnwrapParams {
    /// 0 gives the amount in, 1 the amount out.
    uint8 kind;
    /// 0 wraps, 1 unwraps.
    uint8 direction;
    address wrappedToken;
    uint256 amountGivenRaw;
    uint256 limitRaw;
}

interface IBalancerV3Vault {
    function swap(VaultSwapParams calldata params)
        external
        returns (uint256 amountCalculatedRaw, uint256 amountInRaw, uint256 amountOutRaw);
    function erc4626BufferWrapOrUnwrap(BufferWrapOrUnwrapParams calldata params)
        external
        returns (uint256 amountCalculatedRaw, uint256 amountInRaw, uint256 amountOutRaw);
    function settle(address token, uint256 amountHint) external returns (uint256 credit);
    function sendTo(address token, address to, uint256 amount) external;
}

/// Pools and buffers in a vault of Balancer V3, between the opening of its lock and the end of it.
contract BalancerV3 is LockedPart {
    function open(LockedSwap calldata swap)
        external
        payable
        override
        delegated
        returns (uint256 paid, uint256 bought)
    {
        // A buffer does not say yet what it brings.
        if (swap.venue == BALANCER_V3_BUFFER) return (_costInBuffer(swap), 0);
        return _swapInVault(swap);
    }

    function close(LockedSwap calldata swap, uint256 paid, uint256 bought)
        external
        payable
        override
        delegated
        returns (uint256)
    {
        IBalancerV3Vault vault = IBalancerV3Vault(swap.manager);
        vault.settle(swap.sold, paid);
        // A buffer that is short goes on to its ERC-4626 vault with what is there.
        if (swap.venue == BALANCER_V3_BUFFER) bought = _swapInBuffer(swap, paid);
        vault.sendTo(swap.key.currency1, swap.to, bought);
        return bought;
    }

    function _swapInVault(LockedSwap calldata swap) private returns (uint256 paid, uint256 bought) {
        bool sells = swap.amount > 0;
        VaultSwapParams memory params = VaultSwapParams({
            kind: sells ? 0 : 1,
            pool: swap.key.hooks,
            tokenIn: swap.sold,
            tokenOut: swap.key.currency1,
            amountGivenRaw: uint256(sells ? swap.amount : -swap.amount),
            limitRaw: sells ? 0 : type(uint256).max,
            userData: ""
        });
        (, paid, bought) = IBalancerV3Vault(swap.manager).swap(params);
    }

    /// What Balancer's vault will ask for: of its buffers an exact output costs what the preview says of one unit more,
    /// and one more.
    function _costInBuffer(LockedSwap calldata swap) private view returns (uint256) {
        if (swap.amount > 0) return uint256(swap.amount);
        uint256 amount = uint256(-swap.amount) + 1;
        IVault vault = IVault(swap.key.hooks);
        return (swap.sold == address(vault) ? vault.previewWithdraw(amount) : vault.previewMint(amount)) + 1;
    }

    /// What it costs is paid already; a vault that asks for anything else leaves its lock unsettled.
    function _swapInBuffer(LockedSwap calldata swap, uint256 paid) private returns (uint256 bought) {
        bool sells = swap.amount > 0;
        BufferWrapOrUnwrapParams memory params = BufferWrapOrUnwrapParams({
            kind: sells ? 0 : 1,
            direction: swap.sold == swap.key.hooks ? 1 : 0,
            wrappedToken: swap.key.hooks,
            amountGivenRaw: uint256(sells ? swap.amount : -swap.amount),
            limitRaw: sells ? 0 : paid
        });
        (,, bought) = IBalancerV3Vault(swap.manager).erc4626BufferWrapOrUnwrap(params);
    }
}
