/**
 * Gas of one exchange with the first token, approval and tweak of the internal price included, of two and of three tokens
 * (test/pools/cryptoswap.exactness.test.ts): between the two others no price is tweaked on the test contract, which is less.
 */
const GAS = [310_000n, 355_000n] as const;

export function cryptoswapGas(tokens: number): bigint {
  return tokens === 2 ? GAS[0] : GAS[1];
}
