/** Gas of a sale to a pool, the maintainer's payment and the fee model included; test/settlement/venues/paid-first/woofi-and-dodo.test.ts. */
export const DODO_GAS = 117_000n;
