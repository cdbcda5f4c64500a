import { toFunctionSelector } from "viem";
import type { Hex } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import type { SourceId } from "../../domain/source.ts";
import type { Call, ChainReader } from "../../market/chain-reader.ts";
import type { PoolRef, Reading } from "../../market/liquidity-source.ts";
import { MAX_UINT128 } from "../../math/full-math.ts";
import type { CryptoswapState, TricryptoGeneration } from "../../pools/cryptoswap/state.ts";
import { amplificationAt } from "../../pools/cryptoswap/terms.ts";
import type { Pool } from "../../pools/pool.ts";
import { callGroups } from "../reading/call-groups.ts";
import { withMatchingQuotes } from "../reading/matching-quotes.ts";
import { addressAt, uintAt, wordOf } from "../reading/words.ts";
import { figureOf, generationOf, withSupplies } from "./before-ng.ts";

const COINS = toFunctionSelector("coins(uint256)");
const BALANCES = toFunctionSelector("balances(uint256)");
const DECIMALS = toFunctionSelector("decimals()");
const PRICE_SCALE = toFunctionSelector("price_scale()");
const PRICE_SCALE_OF = toFunctionSelector("price_scale(uint256)");
const GET_DY = toFunctionSelector("get_dy(uint256,uint256,uint256)");
/** In the order in which their answers are read. */
const FIGURES = [
  "initial_A_gamma()",
  "future_A_gamma()",
  "initial_A_gamma_time()",
  "future_A_gamma_time()",
  "D()",
  "mid_fee()",
  "out_fee()",
  "fee_gamma()",
  "virtual_price()",
  "totalSupply()",
  "A()",
  "gamma()",
] as const;
const IS_KILLED = toFunctionSelector("is_killed()");
const selectorsOf = (generation?: TricryptoGeneration) =>
  FIGURES.map((figure) => toFunctionSelector(figureOf(figure, generation)));
const SELECTORS = { ng: selectorsOf(), first: selectorsOf("first"), second: selectorsOf("second") };
const CALLS_PER_COIN = 3;
const LOWER_HALF = MAX_UINT128;
/** Fees above this outgrow the price: more sold might buy less. */
const MAX_FEE = 5n * 10n ** 8n;

/** Pools at `at`; those left out whose coins are not the record's, or that do not pay what the formulas say. */
export async function syncPools(
  source: SourceId,
  reading: Reading,
  refs: readonly PoolRef[],
): Promise<readonly Pool[]> {
  const { chain, at } = reading;
  const pools = await readPools(source, chain, refs, at);
  // Other generations of such pools share the interface and not the formulas.
  return withMatchingQuotes(reading, pools, { getDy: GET_DY, within: 0n });
}

async function readPools(source: SourceId, chain: ChainReader, refs: readonly PoolRef[], at: BlockRef) {
  const calls = refs.map((ref): readonly Call[] => {
    const { address, tokens } = ref;
    const generation = generationOf(ref);
    return [
      ...tokens.flatMap((token, i): readonly Call[] => [
        { to: address, data: `${COINS}${wordOf(i)}` },
        { to: address, data: `${BALANCES}${wordOf(i)}` },
        { to: token, data: DECIMALS, isForeignCall: true },
      ]),
      ...tokens.slice(1).map((_, i): Call => {
        return { to: address, data: tokens.length === 2 ? PRICE_SCALE : `${PRICE_SCALE_OF}${wordOf(i)}` };
      }),
      ...SELECTORS[generation ?? "ng"].map((data) => ({ to: address, data })),
      ...(generation === undefined ? [] : [{ to: address, data: IS_KILLED }]),
    ];
  });
  const supplyAt = ({ tokens }: PoolRef) =>
    CALLS_PER_COIN * tokens.length + tokens.length - 1 + FIGURES.indexOf("totalSupply()");
  const answers = await withSupplies(chain, refs, await callGroups(chain, calls, at), { supplyAt, at });
  return refs.flatMap((ref, index): Extract<Pool, { curve: "cryptoswap" }>[] => {
    const state = stateFrom(ref, answers[index] ?? [], at.timestamp);
    return state === undefined ? [] : [{ id: ref.id, source, tokens: ref.tokens, curve: "cryptoswap", state }];
  });
}

function stateFrom(ref: PoolRef, answers: readonly (Hex | undefined)[], time: bigint): CryptoswapState | undefined {
  const { tokens } = ref;
  const generation = generationOf(ref);
  const numbers = answers.map((answer) => (answer === undefined ? undefined : uintAt(answer, 0)));
  const balances: bigint[] = [];
  const precisions: bigint[] = [];
  for (const [i, token] of tokens.entries()) {
    const [balance, digits] = numbers.slice(CALLS_PER_COIN * i + 1);
    const coin = answers[CALLS_PER_COIN * i];
    if (coin === undefined || addressAt(coin, 0) !== token) return undefined;
    if (balance === undefined || balance > LOWER_HALF || digits === undefined || digits > 18n) return undefined;
    balances.push(balance);
    precisions.push(10n ** (18n - digits));
  }
  const rest = numbers.slice(CALLS_PER_COIN * tokens.length).filter((number) => number !== undefined);
  const killed = generation === undefined ? 0n : rest.pop();
  if (rest.length !== tokens.length - 1 + FIGURES.length || killed !== 0n) return undefined;
  const priceScale = rest.slice(0, tokens.length - 1);
  const [initial, future, initialTime, futureTime, d, midFee, outFee, feeGamma, virtualPrice, supply, a, gamma] =
    rest.slice(tokens.length - 1) as readonly bigint[] as Figures;
  if (priceScale.some((price) => price === 0n || price > LOWER_HALF) || feeGamma === 0n) return undefined;
  if (midFee > outFee || outFee > MAX_FEE) return undefined;
  const state: CryptoswapState = {
    ...{ balances, precisions, priceScale, initialTime, futureTime, d, midFee, outFee, feeGamma, virtualPrice, supply },
    ...{ initialA: initial >> 128n, futureA: future >> 128n },
    ...{ initialGamma: initial & LOWER_HALF, futureGamma: future & LOWER_HALF },
  };
  // The pool's own answer at this time has to be the result of its ramp.
  const now = amplificationAt(state, time);
  if (now.ann !== a || now.gamma !== gamma) return undefined;
  return generation === undefined ? state : { ...state, generation };
}

type Figures = readonly [
  ...[bigint, bigint, bigint, bigint, bigint, bigint],
  ...[bigint, bigint, bigint, bigint, bigint, bigint],
];
