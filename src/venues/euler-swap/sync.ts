import { stringToHex, toFunctionSelector } from "viem";
import type { Address, Hex } from "../../domain/address.ts";
import type { PoolId } from "../../domain/route.ts";
import type { SourceId } from "../../domain/source.ts";
import type { Call } from "../../market/chain-reader.ts";
import type { UnservedReason } from "../../market/eligibility.ts";
import type { PoolRef, Reading } from "../../market/liquidity-source.ts";
import { eulerSwapMath } from "../../pools/euler-swap/math.ts";
import type { EulerSwapVersion } from "../../pools/euler-swap/state.ts";
import type { Pool } from "../../pools/pool.ts";
import { isRejection } from "../../pools/pool-math.ts";
import { addressOf } from "../reading/address-as-id.ts";
import { callGroups } from "../reading/call-groups.ts";
import { PROBE_PART, withMatchingAnswers } from "../reading/matching-quotes.ts";
import { addressAt, wordOf } from "../reading/words.ts";
import { stateOf } from "./state.ts";

const CURVE = toFunctionSelector("curve()");
const ASSETS = toFunctionSelector("getAssets()");
const RESERVES = toFunctionSelector("getReserves()");
const LIMITS = toFunctionSelector("getLimits(address,address)");
const STATIC = toFunctionSelector("getStaticParams()");
const QUOTE = toFunctionSelector("computeQuote(address,address,uint256,bool)");
/** Terms of a pool: fixed in version 1, moved by its account in version 2. */
const TERMS = { v1: toFunctionSelector("getParams()"), v2: toFunctionSelector("getDynamicParams()") } as const;
/** Answers of `curve()`. */
const VERSIONS: ReadonlyMap<Hex, EulerSwapVersion> = new Map([
  [stringToHex("EulerSwap v1", { size: 32 }), "v1"],
  [stringToHex("EulerSwap v2", { size: 32 }), "v2"],
]);
/** The word of version 2's fixed terms that names the account, whose owner and managers may change the others. */
const ACCOUNT = 4;
const DIRECTIONS = [
  { sell: 0, buy: 1 },
  { sell: 1, buy: 0 },
] as const;

type EulerSwapPool = Extract<Pool, { curve: "euler-swap" }>;

/** Pools at a block, as they are met first: those of a known version that quote what we compute. */
export async function foundPools(
  source: SourceId,
  refs: readonly PoolRef[],
  reading: Reading,
): Promise<readonly Pool[]> {
  const { chain, at, reportUnserved } = reading;
  const calls = refs.map((ref) => [
    ...[CURVE, ASSETS, STATIC, TERMS.v1, TERMS.v2].map((data) => ({ to: ref.address, data })),
    ...movingCalls(ref),
  ]);
  const answers = await callGroups(chain, calls, at);
  const pools = refs.flatMap((ref, index): EulerSwapPool[] => {
    const [name, assets = "0x", fixed = "0x", ofV1, ofV2, ...moving] = answers[index] ?? [];
    const version = VERSIONS.get(name?.slice(0, 66) as Hex);
    const hasTokens = ref.tokens.every((token, i) => addressAt(assets, i) === token);
    const read =
      version === undefined
        ? "UNKNOWN_VERSION"
        : stateOf({ version, terms: version === "v1" ? ofV1 : ofV2, moving, at });
    const account = version === "v2" ? addressAt(fixed, ACCOUNT) : undefined;
    const fault = faultOf(read, hasTokens && (version === "v1" || account !== undefined));
    if (typeof read === "string" || fault !== undefined) {
      reportUnserved(ref.id, fault ?? "NOT_READABLE");
      return [];
    }
    const pool = { id: ref.id, source, tokens: ref.tokens, curve: "euler-swap", state: read } as const;
    return [account === undefined ? pool : { ...pool, controllers: [account] }];
  });
  return withMatchingQuotes(pools, reading);
}

function faultOf(read: ReturnType<typeof stateOf>, isWhole: boolean): UnservedReason | undefined {
  if (typeof read === "string") return read;
  return isWhole ? undefined : "NOT_READABLE";
}

/** Pools at a block that were read before: their code, tokens and account stay. */
export async function heldPools(
  refs: readonly PoolRef[],
  { chain, at }: Pick<Reading, "chain" | "at">,
  held: ReadonlyMap<PoolId, Pool>,
): Promise<readonly Pool[]> {
  const known = refs.flatMap((ref) => {
    const pool = held.get(ref.id);
    return pool?.curve === "euler-swap" ? [{ ref, pool }] : [];
  });
  const calls = known.map(({ ref, pool }) => [
    { to: ref.address, data: TERMS[pool.state.version] },
    ...movingCalls(ref),
  ]);
  const answers = await callGroups(chain, calls, at);
  return known.flatMap(({ pool }, index): Pool[] => {
    const [terms, ...moving] = answers[index] ?? [];
    const state = stateOf({ version: pool.state.version, terms, moving, at });
    return typeof state === "string" ? [] : [{ ...pool, state }];
  });
}

function movingCalls({ address: to, tokens }: PoolRef): readonly Call[] {
  const [first, second] = tokens.map((token) => wordOf(BigInt(token)));
  return [
    { to, data: RESERVES },
    { to, data: `${LIMITS}${first}${second}` },
    { to, data: `${LIMITS}${second}${first}` },
  ];
}

/** Keeps pools whose own quotes, both ways and of both kinds, are what we compute, and reports the others. */
function withMatchingQuotes(pools: readonly EulerSwapPool[], reading: Reading): Promise<readonly EulerSwapPool[]> {
  const { timestamp } = reading.at;
  const probes = pools.flatMap((pool) =>
    DIRECTIONS.flatMap((direction) => {
      const { maxSell, maxBuy } = eulerSwapMath.limits(pool.state, direction, timestamp);
      const [sold, bought] = [maxSell / PROBE_PART, maxBuy / PROBE_PART];
      const ask = (amount: bigint, isExactIn: boolean): Call => ({
        to: addressOf(pool),
        data: quoteData(pool.tokens, direction, { amount, isExactIn }),
      });
      const exactIn = eulerSwapMath.quoteExactIn(pool.state, direction, sold, timestamp);
      const exactOut = eulerSwapMath.quoteExactOut(pool.state, direction, bought, timestamp);
      return [
        ...(isRejection(exactIn) ? [] : [{ pool, call: ask(sold, true), paid: exactIn.amount }]),
        // A pool itself may ask nothing for what costs a base unit of ours.
        ...(isRejection(exactOut) || exactOut.amount === 1n
          ? []
          : [{ pool, call: ask(bought, false), paid: exactOut.amount }]),
      ];
    }),
  );
  return withMatchingAnswers(reading, pools, { probes, within: 0n });
}

function quoteData(
  tokens: readonly Address[],
  { sell, buy }: (typeof DIRECTIONS)[number],
  { amount, isExactIn }: { readonly amount: bigint; readonly isExactIn: boolean },
): Hex {
  const words = [BigInt(tokens[sell] ?? 0), BigInt(tokens[buy] ?? 0), amount, isExactIn ? 1n : 0n];
  return `${QUOTE}${words.map(wordOf).join("")}`;
}
