import { expect, test } from "vitest";
import { isRejection } from "../../../src/pools/pool-math.ts";
import { rateTokenMath } from "../../../src/pools/rate-token/math.ts";
import { vaultMath } from "../../../src/pools/vault/math.ts";
import { type VectorRecord, type VectorSwap, vectorsOf } from "../../support/suites/vectors.ts";

const records = vectorsOf("wrappers-lst");
const PLENTY = 1n << 100n;

/** The other amount of a sale of so much, into the token (0) or out of it (1). */
type Sale = (sell: number, amount: bigint) => bigint | string;

/** Our maths for each kind, with the two totals of the record. */
const OURS: Readonly<Record<string, (pool: never) => Sale>> = {
  "kyber:lido": ({ reserves: [pooled, shares] }: { reserves: [string, string] }) => atRate(pooled, shares),
  "kyber:etherfi/weeth": ({ totalPooledEther, totalShares }: Totals) => atRate(totalPooledEther, totalShares),
  "kyber:rocketpool/reth": ({ totalETHBalance, totalRETHSupply }: Totals) => atRate(totalETHBalance, totalRETHSupply),
  "kyber:generic-simple-rate": ({ extra }: { extra: { rate: number; rateUnit: number } }) =>
    atRate(String(extra.rate), String(extra.rateUnit)),
  "kyber:beets-ss": ({ totalAssets, totalSupply }: Totals) => ofVault(totalAssets, totalSupply),
  "kyber:frax/sfrxeth-convertor": ({ totalAssets, totalSupply }: Totals) => ofVault(totalAssets, totalSupply),
  "kyber:puffer/pufeth": ({ totalAssets, totalSupply }: Totals) => ofVault(totalAssets, totalSupply),
  // The record holds what a vault's previews say of powers of ten, in place of its totals, and goes by that of 10^18.
  "kyber:erc4626": ({ extra }: { extra: { dR: readonly string[]; rR: readonly string[] } }) => {
    // One unit is the vault's own on either side of its ratio.
    const total = (preview: string | undefined) => String(BigInt(preview ?? 0) * 10n ** 6n - 1n);
    const one = total(String(10n ** 18n));
    const [into, out] = [ofVault(one, total(extra.dR[2])), ofVault(total(extra.rR[2]), one)];
    return (sell, amount) => (sell === 0 ? into : out)(sell, amount);
  },
};

/** Kinds with rules of their own: none is a rate of two totals into a token and out of it, which is what we serve. */
const FOREIGN: Readonly<Record<string, string>> = {
  "kyber:bedrock/unibtc": "mints for several tokens up to a cap for each, and gives none back",
  "kyber:etherfi/ebtc": "a teller with a rate for each of several tokens and a list of who is let in",
  "kyber:etherfi/vampire":
    "takes stETH at the lower of its rate and its price in a pool of Curve's, up to a cap by time",
  "kyber:gohm": "three tokens with an index and a warm-up",
  "kyber:hyeth": "a share of several components, each a vault by itself",
  "kyber:kelp/rseth-l2": "mints at the quotient of two oracles' prices",
  "kyber:mantle/cmeth": "a teller with a rate for each token; one way",
  "kyber:mantle/meth": "stakes native token at a rate with an adjustment; one way",
  "kyber:ondo-usdy": "an oracle's price by day, and shares of a token that rebases",
  "kyber:renzo/ezeth": "mints at an oracle's price of all that the protocol holds",
  "kyber:swell/rsweth": "mints at a reported rate; one way",
  "kyber:usd0pp": "a bond that starts and ends; one way",
  "kyber:whlp": "a teller at a reported rate that leaves nothing of small amounts; one way",
};

interface Totals {
  readonly totalPooledEther: string;
  readonly totalShares: string;
  readonly totalETHBalance: string;
  readonly totalRETHSupply: string;
  readonly totalAssets: string;
  readonly totalSupply: string;
}

function atRate(pooled: string, shares: string): Sale {
  const state = { pooled: BigInt(pooled), shares: BigInt(shares), supply: PLENTY, held: PLENTY };
  return (sell, amount) => {
    const quote = rateTokenMath.quoteExactIn(state, { sell, buy: 1 - sell }, amount, 0n);
    return isRejection(quote) ? quote.rejected : quote.amount;
  };
}

function ofVault(totalAssets: string, totalSupply: string): Sale {
  const totals = { totalAssets: BigInt(totalAssets), totalSupply: BigInt(totalSupply) };
  return (sell, amount) => {
    const state = { ...totals, virtualShares: 1n, maxDeposit: PLENTY };
    const quote = vaultMath.quoteExactIn(state, { sell, buy: 1 - sell }, amount, 0n);
    return isRejection(quote) ? quote.rejected : quote.amount;
  };
}

/** Tokens that are the wrapper of their pair. */
const WRAPPERS = ["wstETH", "<Beets_Staked_Sonic_Address>", "<PUFETH>"].concat([
  ...["0xCd5fE23C85820F7B72D0926FC9b05b43E359b7ee", "0xae78736cd615f374d3085123a210448e74fc6393"],
  ...["0x9f8f72aa9304c8b593d555f12ef6589cc3a579a2", "0xac3e018457b222d93114458476f3e3416abbe38f"],
  "0xd9a442856c234a39a81a089c06451ebaa4306a72",
]);

function soldSide({ tokenIn, tokenOut }: VectorSwap): number {
  expect([tokenIn, tokenOut].filter((token) => WRAPPERS.includes(token))).toHaveLength(1);
  return WRAPPERS.includes(tokenIn) ? 1 : 0;
}

/** Sales before a sale leave the rate as it is, so that `after` changes nothing. */
test("another team's vectors of wrappers and vaults", () => {
  const seen: Record<string, number> = { equal: 0, foreign: 0 };
  for (const { dex, pool, swaps, source } of records as readonly (VectorRecord & { pool: never })[]) {
    const sell = OURS[dex]?.(pool);
    expect(sell === undefined, dex).toBe(dex in FOREIGN);
    for (const swap of swaps) {
      if (sell === undefined) {
        seen.foreign!++;
        continue;
      }
      const where = `${dex} ${source.test} ${swap.tokenIn} ${swap.amountIn}`;
      expect(sell(soldSide(swap), BigInt(swap.amountIn as string)), where).toBe(BigInt(swap.amountOut as string));
      seen.equal!++;
    }
  }
  expect(seen).toEqual({ equal: 14, foreign: 46 });
});
