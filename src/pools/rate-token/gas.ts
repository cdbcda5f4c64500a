/** Gas between that of `wrap` with its approval (80,000) and that of `unwrap` (60,000); test/settlement/drawn.test.ts. */
export const RATE_TOKEN_GAS = 70_000n;
