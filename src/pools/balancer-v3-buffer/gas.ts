/**
 * Gas of a trade that the buffer serves out of what it holds, and of one that goes on to the ERC-4626 vault, lock and
 * transfers included; test/settlement/venues/balancer-v3-buffer.test.ts.
 */
export const BUFFER_GAS = 84_000n;
export const SHORT_BUFFER_GAS = 110_000n;
