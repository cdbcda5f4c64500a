/** Limits on the amounts that pools are asked for: beyond them a trade only ruins its taker (docs/sources.md). */

/** Most that goes into a vault, a buffer or a token with a rate at once, in times of its holdings. */
export const MAX_TIMES_HELD = 8n;

/** A token's balance in a stable pool after an exact-in swap, in times of all balances together. */
export const MAX_TIMES_ALL = 8n;

/** Most that is sold to a weighted pool for an exact output, in times of its balance of the sold token. */
export const MAX_TIMES_SOLD = 4n;
