import { decodeAbiParameters, encodeAbiParameters, type Hex, toFunctionSelector } from "viem";
import { expect, test } from "vitest";
import { type Address, toAddress } from "../../../src/domain/address.ts";
import type { BlockRef } from "../../../src/domain/block.ts";
import type { ChainReader } from "../../../src/market/chain-reader.ts";
import { cryptoswapMath } from "../../../src/pools/cryptoswap/math.ts";
import type { CryptoswapState } from "../../../src/pools/cryptoswap/state.ts";
import type { Pool } from "../../../src/pools/pool.ts";
import { isRejection } from "../../../src/pools/pool-math.ts";
import { curveCryptoswap } from "../../../src/venues/curve-cryptoswap/source.ts";
import { cryptoswapPoolOf, onchainVectorsOf } from "../../support/suites/onchain-vectors.ts";

/**
 * Reads of tricrypto pools before NG: the pool of `test/vectors` answers with its state on mainnet, by the getters of
 * its contract. `test/vectors/onchain.test.ts` compares its output with the contract's own answers; `get_dy` here is
 * ours.
 */

const SHARE = toAddress("0xca3d75ac011bf5ad07a98d02f18225f9bd9a6bdf");
const [record] = onchainVectorsOf("curve-cryptoswap");
if (record === undefined) throw new Error("no vector");
const { pool, time } = cryptoswapPoolOf(record);
const address = toAddress(pool.id);
const first = pool.state as CryptoswapState;
const hash: Hex = `0x${"1".repeat(64)}`;
const at: BlockRef = { number: 1n, hash, parentHash: hash, timestamp: time };

type Getters = Readonly<Record<string, bigint | readonly bigint[]>>;

const pack = (high: bigint, low: bigint) => (high << 128n) | low;

function gettersOf(state: CryptoswapState): Getters {
  return {
    "coins(uint256)": pool.tokens.map(BigInt),
    "balances(uint256)": state.balances,
    "price_scale(uint256)": state.priceScale,
    "initial_A_gamma()": pack(state.initialA, state.initialGamma),
    "future_A_gamma()": pack(state.futureA, state.futureGamma),
    "initial_A_gamma_time()": state.initialTime,
    "future_A_gamma_time()": state.futureTime,
    ...{ "D()": state.d, "mid_fee()": state.midFee, "out_fee()": state.outFee, "fee_gamma()": state.feeGamma },
    ...{ "virtual_price()": state.virtualPrice, "token()": BigInt(SHARE), "gamma()": state.futureGamma },
    ...(state.generation === "first"
      ? { "A()": state.futureA / 100n, "A_precise()": state.futureA }
      : { "A()": state.futureA }),
    "is_killed()": 0n,
  };
}

/** A chain with the pool alone; it reverts for what is none of its getters. */
function chainWith(state: CryptoswapState, getters: Getters = gettersOf(state)): ChainReader {
  const bySelector = new Map(Object.entries(getters).map(([name, answer]) => [toFunctionSelector(name), answer]));
  const answerTo = (to: Address, data: Hex): bigint | undefined => {
    const selector = data.slice(0, 10) as Hex;
    if (to === SHARE) return state.supply;
    if (to !== address) return [6n, 8n, 18n][pool.tokens.indexOf(to)];
    if (selector === toFunctionSelector("get_dy(uint256,uint256,uint256)")) {
      const words = [{ type: "uint256" }, { type: "uint256" }, { type: "uint256" }] as const;
      const [sell, buy, amount] = decodeAbiParameters(words, `0x${data.slice(10)}`);
      const quote = cryptoswapMath.quoteExactIn(state, { sell: Number(sell), buy: Number(buy) }, amount, at.timestamp);
      return isRejection(quote) ? undefined : quote.amount;
    }
    const answer = bySelector.get(selector);
    return typeof answer === "object" ? answer[Number(BigInt(`0x${data.slice(10)}`))] : answer;
  };
  return {
    logs: async () => [],
    calls: async (calls) =>
      calls.map(({ to, data }) => {
        const answer = answerTo(to, data);
        return answer === undefined ? undefined : encodeAbiParameters([{ type: "uint256" }], [answer]);
      }),
  };
}

function sourceOf(generation?: "first" | "second") {
  return curveCryptoswap({
    ...{ protocol: "curve-cryptoswap", source: "Curve_Crypto", fromBlock: 0n },
    pools: [{ address, coins: pool.tokens, ...(generation && { generation }) }],
  });
}

async function read(chain: ChainReader, generation?: "first" | "second"): Promise<readonly Pool[]> {
  const source = sourceOf(generation);
  return source.sync(chain, source.fixed?.() ?? [], at);
}

/** The second generation counts amplification in 10,000 parts, as NG does. */
const second: CryptoswapState = {
  ...first,
  ...{ generation: "second", initialA: first.initialA * 100n, futureA: first.futureA * 100n },
};

test("a pool of either generation is read by the getters of its contract", async () => {
  const [oldest] = await read(chainWith(first), "first");
  expect(oldest?.state).toEqual(first);
  expect(oldest?.tokens).toEqual(pool.tokens);
  expect((await read(chainWith(second), "second"))[0]?.state).toEqual(second);
});

test("a pool is left out where the record names another generation than it is of", async () => {
  expect(await read(chainWith(first), "second")).toEqual([]);
  expect(await read(chainWith(first))).toEqual([]);
  expect(await read(chainWith(second), "first")).toEqual([]);
  expect(await read(chainWith(second))).toEqual([]);
});

test("a killed pool is left out, and one that does not say whether it is or which token its share is", async () => {
  const getters = gettersOf(first);
  expect(await read(chainWith(first, { ...getters, "is_killed()": 1n }), "first")).toEqual([]);
  for (const name of ["is_killed()", "token()", "D()"]) {
    const { [name]: _, ...rest } = getters;
    expect(await read(chainWith(first, rest), "first")).toEqual([]);
  }
});

test("a pool that pays otherwise than the formulas say is left out", async () => {
  const chain = chainWith(first);
  const getDy = toFunctionSelector("get_dy(uint256,uint256,uint256)");
  const lying: ChainReader = {
    ...chain,
    calls: async (calls, block) => {
      const answers = await chain.calls(calls, block);
      return answers.map((answer, i) =>
        calls[i]?.data.startsWith(getDy) && answer !== undefined
          ? encodeAbiParameters([{ type: "uint256" }], [BigInt(answer) + 1n])
          : answer,
      );
    },
  };
  expect(await read(lying, "first")).toEqual([]);
});

test("it is traded by the action of all crypto pools", async () => {
  const [oldest] = await read(chainWith(first), "first");
  if (oldest === undefined) throw new Error("the pool cannot be read");
  const [sellToken, , buyToken] = oldest.tokens as readonly [Address, Address, Address];
  const fill = { poolId: oldest.id, source: "", sellToken, buyToken };
  expect(sourceOf("first").action(oldest, { ...fill, sellAmount: 1n, buyAmount: 1n, gas: 0n, share: 1n })).toEqual({
    ...{ action: "curve-crypto-pool", pool: address, sell: 0, buy: 2 },
  });
});
