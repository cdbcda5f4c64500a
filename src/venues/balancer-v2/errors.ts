import type { VenueErrors } from "../../domain/venue-errors.ts";

/** Codes of BalancerErrors that a swap can meet, in words. */
const CODES: Readonly<Record<string, string>> = {
  "000": "a sum went out of range",
  "001": "a difference went below zero",
  "003": "a product went out of range",
  "004": "a division by zero",
  "005": "a division went out of range",
  "006": "a base of a power is out of bounds",
  "007": "an exponent is out of bounds",
  "008": "a power is out of bounds",
  "009": "an exponent is not valid",
  "100": "an index out of bounds",
  "205": "the pool was not called by the vault",
  "206": "the pool is not initialized",
  "304": "more is sold than a part of the pool's balance",
  "305": "more is bought than a part of the pool's balance",
  "306": "the share that is sold is too small",
  "307": "the share that is bought is too large",
  "309": "the pool does not hold the token",
  "321": "the stable invariant did not converge",
  "322": "a stable balance did not converge",
  "327": "swaps of the pool are switched off",
  "329": "a token's rate went out of range",
  "400": "the vault was entered again while it was busy",
  "401": "the sender is not allowed to do that",
  "402": "the vault or the pool is paused",
  "406": "a balance is too small",
  "414": "an approval is too small",
  "416": "a transfer is of more than the sender holds",
  "418": "a token refused the transfer",
  "437": "the pool is in recovery mode",
  "500": "the vault knows no such pool",
  "507": "the swap is worse than its limit",
  "508": "the swap's deadline has passed",
  "509": "a token is swapped for itself",
  "521": "the pool does not hold the token",
  "526": "the pool's balance went out of range",
};

/** Codes of Gyroscope's pools. The last stands for two limits. */
const GYRO_CODES: Readonly<Record<string, string>> = {
  "352": "the cubic invariant did not converge",
  "357": "a balance would leave the pool's price range",
  "361": "the invariant is too large",
  "362": "a balance is too large",
  "363": "balances or invariant are out of range",
};

export const balancerV2Errors: VenueErrors = {
  texts: {
    ...Object.fromEntries(Object.entries(CODES).map(([code, meaning]) => [`BAL#${code}`, meaning])),
    ...Object.fromEntries(Object.entries(GYRO_CODES).map(([code, meaning]) => [`GYR#${code}`, meaning])),
    "_sqrt FAILED": "a square root is not near enough",
  },
};
