import { toFunctionSelector } from "viem";
import type { Hex } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import type { Call, ChainReader } from "../../market/chain-reader.ts";
import type { PoolRef, Reading } from "../../market/liquidity-source.ts";
import { impossibleAqua } from "../../pools/aqua/impossible.ts";
import type { Pool } from "../../pools/pool.ts";
import { callGroups } from "../reading/call-groups.ts";
import { keepUnchanged } from "../reading/keep-unchanged.ts";
import { addressAt, uintAt, wordOf } from "../reading/words.ts";
import type { AquaOrder } from "./order.ts";
import type { AquaRecord } from "./record.ts";
import { orderOfRef } from "./strategies.ts";
import { Wallets } from "./wallets.ts";

const RAW_BALANCES = toFunctionSelector("rawBalances(address,address,bytes32,address)");
const AQUA = toFunctionSelector("AQUA()");
/** Counts of tokens: of a strategy that is served, and of one that was docked. */
const TWO = 2n;
const DOCKED = 0xffn;

type AquaPool = Extract<Pool, { curve: "aqua" }>;

/** Strategies at a block: what Aqua counts of their two tokens, and what their makers' wallets can pay. */
export async function syncStrategies(
  record: AquaRecord,
  refs: readonly PoolRef[],
  { chain, at, reportUnserved }: Reading,
): Promise<readonly Pool[]> {
  const wanted = refs.flatMap((ref) => {
    const order = orderOfRef(record, ref);
    return order === undefined ? [] : [{ ref, order }];
  });
  const [[registry] = [], ...answers] = await callGroups(
    chain,
    [[{ to: record.router, data: AQUA }], ...wanted.map(({ ref, order }) => balanceCalls(record, ref, order))],
    at,
  );
  const isItsRouter = addressAt(registry ?? "0x", 0) === record.aqua;
  const pools = wanted.flatMap(({ ref: { id, tokens }, order: { maker, traits, data } }, index): AquaPool[] => {
    const balances = isItsRouter ? countedIn(answers[index] ?? []) : undefined;
    const state = balances && { maker, traits, program: data, balances, ...Wallets.UNREAD };
    if (state !== undefined && impossibleAqua(state) === undefined)
      return [{ id, source: record.source, tokens, curve: "aqua", state }];
    reportUnserved(id, state === undefined ? "UNKNOWN_VERSION" : "NOT_READABLE");
    return [];
  });
  return withWallets(record, pools, { chain, at });
}

/**
 * Balances that Aqua counts of a strategy's tokens; undefined where it has other tokens besides. One that is docked has nothing for
 * good: its wallets are looked at no more.
 */
function countedIn(words: readonly (Hex | undefined)[]): readonly [bigint, bigint] | undefined {
  const counts = words.map((word) => uintAt(word ?? "0x", 1, 8));
  const [first, second] = words.map((word) => uintAt(word ?? "0x", 0, 248));
  if (first === undefined || second === undefined) return undefined;
  if (!counts.every((count) => count === TWO || count === DOCKED)) return undefined;
  return counts.includes(DOCKED) ? [0n, 0n] : [first, second];
}

/** Strategies with what their makers' wallets can pay at a block. Those of which nothing is counted are not looked at. */
export async function withWallets(
  { aqua }: AquaRecord,
  pools: readonly Pool[],
  { chain, at }: { readonly chain: ChainReader; readonly at: BlockRef },
): Promise<readonly Pool[]> {
  const holders = pools.flatMap((pool) =>
    pool.curve === "aqua" && holdsAny(pool) ? [{ maker: pool.state.maker, tokens: pool.tokens, held: pool.state }] : [],
  );
  const wallets = await Wallets.read({ chain, at, aqua }, holders);
  const read = pools.map((pool): Pool => {
    if (pool.curve !== "aqua" || !holdsAny(pool)) return pool;
    return { ...pool, state: { ...pool.state, ...wallets.of(pool.state.maker, pool.tokens) } };
  });
  return keepUnchanged(pools, read);
}

/** Whether Aqua counts anything of a strategy. */
export function holdsAny(pool: Pool): boolean {
  return pool.curve === "aqua" && pool.state.balances.some((balance) => balance > 0n);
}

function balanceCalls({ aqua, router }: AquaRecord, { id, tokens }: PoolRef, { maker }: AquaOrder): readonly Call[] {
  return tokens.map((token): Call => {
    const words = [maker, router, id, token].map((word) => wordOf(BigInt(word)));
    const data: Hex = `${RAW_BALANCES}${words.join("")}`;
    return { to: aqua, data };
  });
}
