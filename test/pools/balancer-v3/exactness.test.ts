import { testBalancerV3Exactness } from "../../support/suites/balancer-v3-exactness.ts";

const ONE = 10n ** 18n;

testBalancerV3Exactness([
  { decimals: [18, 6], rated: [false, false], fee: 10n ** 15n, weights: [ONE / 2n, ONE / 2n] },
  { decimals: [8, 18], rated: [true, false], fee: 3n * 10n ** 15n, weights: [ONE / 5n, (4n * ONE) / 5n] },
  {
    decimals: [18, 18, 6],
    rated: [false, true, false],
    fee: 10n ** 16n,
    weights: [ONE / 100n, (66n * ONE) / 100n, (33n * ONE) / 100n],
  },
  { decimals: [6, 18], rated: [false, false], fee: 10n ** 14n, amplification: 200n },
  { decimals: [18, 6, 18], rated: [true, false, true], fee: 4n * 10n ** 14n, amplification: 5_000n },
  { decimals: [18, 12, 6, 18], rated: [true, true, false, false], fee: 10n ** 12n, amplification: 1n },
]);
