/** Gas of `wrap` with its approval, the dearer of both ways: what a vault's deposit costs, which does the same. */
export const RATE_TOKEN_GAS = 58_000n;
