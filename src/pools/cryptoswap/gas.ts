/** Gas of one exchange, its tweak of the internal price included; of two and of three tokens (test/sources/cryptoswap.test.ts). */
const GAS = [230_000n, 280_000n] as const;

export function cryptoswapGas(tokens: number): bigint {
  return tokens === 2 ? GAS[0] : GAS[1];
}
