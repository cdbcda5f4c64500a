/**
 * Gas of a swap: 400,000 of deposit, repayment, withdrawal and loan in the vaults and of their account's check, as KyberSwap counts them
 * (pkg/liquidity-source/euler-swap), and an estimate of the quote that the executor asks the pool for. Simulation corrects it.
 */
export const EULER_SWAP_GAS = 500_000n;
