/**
 * Gas of the first trade since the rate was written down, beyond that of others: Sky's contracts credit what has accrued in
 * their ledger and mint it, behind proxies (SUsds.sol: drip; Vat.sol: suck, move; UsdsJoin.sol: exit). An estimate from 66,000
 * to 76,000 for copies of what these store, without proxies: our own contract only writes the rate.
 */
export const ACCRUAL_GAS = 80_000n;
