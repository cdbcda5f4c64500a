import type { VenueErrors } from "../../domain/venue-errors.ts";

/** OpenZeppelin's ERC4626. */
export const erc4626Errors: VenueErrors = {
  declared: [
    "ERC4626ExceededMaxDeposit(address receiver, uint256 assets, uint256 max)",
    "ERC4626ExceededMaxMint(address receiver, uint256 shares, uint256 max)",
    "ERC4626ExceededMaxRedeem(address owner, uint256 shares, uint256 max)",
    "ERC4626ExceededMaxWithdraw(address owner, uint256 assets, uint256 max)",
  ],
};
