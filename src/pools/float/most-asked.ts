/** How far pools are asked to go: what is beyond only ruins its taker (docs/sources.md). */

/** What goes into a vault, a buffer or a token with a rate at once, in times of what it holds: a rate without an end outweighs all other pools. */
export const MOST_TIMES_HELD = 8n;

/** A token's balance in a stable pool after a sale, in times of all balances together. */
export const MOST_TIMES_ALL = 8n;

/** What is sold to a weighted pool for an exact output, in times of what it holds of the sold token. */
export const MOST_TIMES_SOLD = 4n;
