import { NEW_SLOT } from "../curve/curve-gas.ts";

/**
 * Gas, at Ethereum's prices, of a market order and its payment, without what it trades with: with the makers' contracts a sale of an ERC-20 within one
 * order of one level takes 55,700 more than with the devnet's (106,600 in test/settlement/venues/kuru), and some for a proxy.
 */
const MARKET_ORDER = 150_000n;
/** Each level, of one order: 18,800 to 21,700 with the makers' contracts. */
const LEVEL = 20_000n;
/** Trading with the vault at all: its balances, and where it is afterwards; 32,000 to 45,000 with the makers' contracts. */
const VAULT = 40_000n;
/** Each further order of the vault: 11,500 with the makers' contracts. */
const VAULT_ORDER = 12_000n;
/** The most that a first use takes more: balances of the taker and the vault, and fees, that were never there. */
const FIRST_USE = 100_000n;
/** Gas that a further use saves within one transaction: contracts, terms and balances are warm. */
export const SAVED_AGAIN = 40_000n;

/** Gas of a market order that trades with so many levels and orders of the vault. */
export function kuruGas(levels: number, orders: number): bigint {
  const vault = orders === 0 ? 0n : VAULT + VAULT_ORDER * BigInt(orders - 1);
  return MARKET_ORDER + LEVEL * BigInt(levels) + vault;
}

/** The most of a use of `gas` by the model: each level of two orders, whose makers never had what they are paid in. */
export function mostKuruGas(gas: bigint): bigint {
  const ofLevels = gas > MARKET_ORDER ? gas - MARKET_ORDER : 0n;
  return gas + FIRST_USE + ofLevels + 2n * NEW_SLOT * (ofLevels / LEVEL);
}
