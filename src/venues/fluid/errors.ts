import type { VenueErrors } from "../../domain/venue-errors.ts";

/**
 * Revert errors of the pools and the Liquidity layer (Instadapp/fluid-contracts-public, dex/error.sol and liquidity/error.sol); the
 * numbers are those of their errorTypes.sol.
 */
export const fluidErrors: VenueErrors = {
  declared: [
    "FluidDexError(uint256 errorId)",
    "FluidLiquidityError(uint256 errorId)",
    "FluidDexSwapResult(uint256 amount)",
    "FluidDexFactoryError(uint256 errorId)",
  ],
};
