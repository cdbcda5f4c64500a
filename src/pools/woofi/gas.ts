/** Gas of a swap through one base token, and what a second one takes more; test/settlement/venues/woofi.test.ts. */
const ONE_BASE = 155_000n;
const SECOND_BASE = 55_000n;

/** Gas of a swap of base tokens, of which there are one or two. */
export function wooGas(bases: 1 | 2): bigint {
  return bases === 2 ? ONE_BASE + SECOND_BASE : ONE_BASE;
}
