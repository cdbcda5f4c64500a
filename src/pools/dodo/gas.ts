/** Gas of a sale to a pool, the maintainer's payment included; test/settlement/venues/dodo.test.ts. */
export const DODO_GAS = 150_000n;
