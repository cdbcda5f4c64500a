import { type Hex, pad } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Address } from "../../../src/domain/address.ts";
import { curveCryptoswap } from "../../../src/venues/curve-cryptoswap/source.ts";
import { sourceContract } from "../../market/liquidity-source.suite.ts";
import { type Anvil, startAnvil } from "../worlds/anvil.ts";
import { cryptoswapCall, deployCryptoswap, setCryptoswap } from "../worlds/curve/cryptoswap.ts";
import { createRandom } from "../worlds/traffic/random.ts";

const LONG = process.env.TRIBUTARY_LONG === "1";
const BLOCKS = LONG ? 600 : 40;

let anvil: Anvil;

beforeAll(async () => {
  anvil = await startAnvil();
});
afterAll(() => anvil?.stop());

test("crypto pools are what their contracts say at every block: exchanges that move prices, ramps and fees", async () => {
  const random = createRandom(63);
  const pools = [await deployCryptoswap(anvil, [6, 18]), await deployCryptoswap(anvil, [6, 8, 18])];
  const worth = 4_000_000n * 10n ** 18n;
  const fees = [3_000_000n, 30_000_000n, 5n * 10n ** 15n] as const;
  for (const pool of pools) {
    const prices = pool.decimals
      .slice(1)
      .map((_, i) => [2_000n, 40_000n][i] as bigint)
      .map((usd) => usd * 10n ** 18n);
    const balances = pool.decimals.map((decimals, i) => {
      const price = i === 0 ? 10n ** 18n : (prices[i - 1] as bigint);
      return (worth * 10n ** BigInt(decimals)) / price;
    });
    const ann = pool.tokens.length === 2 ? 400_000n : 1_707_629n;
    await setCryptoswap(anvil, pool, { balances, prices, ann, gamma: 145n * 10n ** 12n, fees });
  }
  const start = await anvil.mine();
  const seen = { exchanges: 0, ramps: 0, fees: 0 };
  const sent: Hex[] = [];
  const act = async () => {
    for (let count = random.int(0, 2); count > 0; count--) {
      const pool = random.pick(pools);
      const kind = random.int(0, 7);
      const { timestamp } = await anvil.head();
      if (kind === 0) {
        seen.ramps++;
        const gamma = random.between(10n ** 14n, 10n ** 15n);
        const a = random.between(300_000n, 2_000_000n);
        await anvil.send(pool.address, cryptoswapCall("ramp_A_gamma", [a, gamma, timestamp + 20n]));
      } else if (kind === 1) {
        seen.fees++;
        await anvil.send(pool.address, cryptoswapCall("set_fees", [random.ofBits(22), 40_000_000n, random.ofBits(55)]));
      } else {
        seen.exchanges++;
        const sell = random.int(0, pool.tokens.length - 1);
        const price = sell === 0 ? 1n : ([2_000n, 40_000n][sell - 1] as bigint);
        const amount = (BigInt(random.int(100, 400_000)) * 10n ** BigInt(pool.decimals[sell] as number)) / price;
        const buy = (sell + random.int(1, pool.tokens.length - 1)) % pool.tokens.length;
        sent.push(await anvil.send(pool.address, cryptoswapCall("exchange", [sell, buy, amount, 0n])));
      }
    }
    return anvil.mine();
  };
  const source = curveCryptoswap({
    ...{ protocol: "curve-cryptoswap", source: "Curve_Crypto", fromBlock: 0n },
    pools: pools.map(({ address, tokens }) => ({ address, coins: tokens })),
  });
  const { refs } = await sourceContract({
    ...{ source, reader: anvil.reader, start, blocks: BLOCKS, act },
    logsOf: anvil.logsOf,
  });
  let done = 0;
  for (const hash of sent) {
    const { status } = await anvil.rpc<{ status: Hex }>("eth_getTransactionReceipt", [hash]);
    if (status === "0x1") done++;
  }
  expect(done).toBeGreaterThan(BLOCKS / 4);
  expect(Math.min(seen.ramps, seen.fees)).toBeGreaterThan(0);

  // Coins in another order are not these pools, nor is a pool that pays by another formula: fees that cannot be read.
  const at = await anvil.head();
  const [two] = refs;
  if (two === undefined) throw new Error("no pool");
  expect(await source.sync(anvil.reader, [{ ...two, tokens: [...two.tokens].reverse() }], at)).toEqual([]);
  const [pool] = await source.sync(anvil.reader, [two], at);
  if (pool === undefined) throw new Error("the pool cannot be read");
  const [sellToken, buyToken] = two.tokens as [Address, Address];
  const fill = { poolId: pool.id, source: "", sellAmount: 1n, buyAmount: 1n, gas: 0n, share: 1n };
  expect(source.action(pool, { ...fill, sellToken: buyToken, buyToken: sellToken })).toEqual({
    ...{ action: "curve-crypto-pool", pool: pool.id, sell: 1, buy: 0 },
  });
  const lying: typeof anvil.reader = {
    ...anvil.reader,
    calls: async (calls, block) => {
      const getDy = cryptoswapCall("get_dy", [0n, 0n, 0n]).slice(0, 10);
      const answers = await anvil.reader.calls(calls, block);
      return answers.map((answer, i) => (calls[i]?.data.startsWith(getDy) ? pad("0x1") : answer));
    },
  };
  expect(await source.sync(lying, [two], at)).toEqual([]);
});
