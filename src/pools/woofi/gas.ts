/** Gas of a swap through one base token, with two Chainlink feeds; test/settlement/venues/paid-first/woofi-and-dodo.test.ts. */
const ONE_BASE = 134_000n;
/** Gas that a second base token takes more. */
const SECOND_BASE = 60_000n;

/** Gas of a swap of base tokens, of which there are one or two. */
export function wooGas(bases: 1 | 2): bigint {
  return bases === 2 ? ONE_BASE + SECOND_BASE : ONE_BASE;
}
