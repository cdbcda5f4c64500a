import type { VenueErrors } from "../../domain/venue-errors.ts";

/** Revert errors of the standard's public example (bnb-chain/PropAMMStandard, ExamplePammRouter.sol). */
export const propAmmErrors: VenueErrors = {
  declared: [
    "NoPrice()",
    "StaleUpdate()",
    "ZeroAmount()",
    "InsufficientInput(uint256 required, uint256 pushed)",
    "InsufficientOutput(uint256 amountOut, uint256 minAmountOut)",
    "SwapExpired(uint256 blockNumber, uint256 maxBlockNumber)",
  ],
};
