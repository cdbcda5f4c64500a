import { toFunctionSelector } from "viem";
import type { Address, Hex } from "../../domain/address.ts";
import type { PoolId } from "../../domain/route.ts";
import type { SourceId } from "../../domain/source.ts";
import type { Call } from "../../market/chain-reader.ts";
import type { PoolRef, Reading } from "../../market/liquidity-source.ts";
import { impossibleDodo } from "../../pools/dodo/impossible.ts";
import { dodoMath } from "../../pools/dodo/math.ts";
import type { DodoState, RState } from "../../pools/dodo/state.ts";
import type { Pool } from "../../pools/pool.ts";
import { isRejection } from "../../pools/pool-math.ts";
import { textAt } from "../reading/abi-arrays.ts";
import { addressOf } from "../reading/address-as-id.ts";
import { callGroups } from "../reading/call-groups.ts";
import { PROBE_PART, withMatchingAnswers } from "../reading/matching-quotes.ts";
import { addressAt, uintAt, wordOf } from "../reading/words.ts";

const STATE = toFunctionSelector("getPMMStateForCall()");
const FEES = toFunctionSelector("getUserFeeRate(address)");
const VERSION = toFunctionSelector("version()");
const OWNER = toFunctionSelector("_OWNER_()");
const TOKENS = ["_BASE_TOKEN_()", "_QUOTE_TOKEN_()"].map((signature) => toFunctionSelector(signature));
const QUERIES = ["querySellBase(address,uint256)", "querySellQuote(address,uint256)"].map((signature) =>
  toFunctionSelector(signature),
);
/** Traders that are asked for their fees: a pool with a fee of its own for some of them has no number for all. */
const TRADERS = [0n, 0xd0d0n] as const;
/** Sides of the targets as the contract numbers them. */
const SIDES: readonly RState[] = ["ONE", "ABOVE_ONE", "BELOW_ONE"];
/** Kinds of pools by how their versions begin. Those whose price another contract tells name an oracle. */
const KINDS = { "DVM ": "DVM", "DPP ": "targets", "DSP ": "targets" } as const;
/** Pools whose owner sets their price as he likes. */
const OWNED = "DPP ";

type DodoPool = Extract<Pool, { curve: "dodo" }>;

/** Pools at a block, as they are met first: those of a known kind that pay what we compute. */
export async function foundPools(
  source: SourceId,
  refs: readonly PoolRef[],
  reading: Reading,
): Promise<readonly Pool[]> {
  const { chain, at, reportUnserved } = reading;
  const answers = await callGroups(
    chain,
    refs.map((ref) => [...movingCalls(ref), ...fixedCalls(ref)]),
    at,
  );
  const pools = refs.flatMap((ref, index): DodoPool[] => {
    const [state, fees, ownFees, version, owner, ...tokens] = answers[index] ?? [];
    const name = nameOf(version);
    const kind = kindOf(name);
    if (kind === undefined || (fees !== undefined && ownFees !== fees)) {
      reportUnserved(ref.id, "UNKNOWN_VERSION");
      return [];
    }
    const hasTokens = ref.tokens.every((token, i) => addressAt(tokens[i] ?? "0x", 0) === token);
    const read = hasTokens ? stateFrom(kind, state, fees) : undefined;
    const controllers = controllersOf(name, owner);
    if (read === undefined || controllers.includes(undefined)) {
      reportUnserved(ref.id, "NOT_READABLE");
      return [];
    }
    const pool = { id: ref.id, source, tokens: ref.tokens, curve: "dodo", state: read } as const;
    return [controllers.length === 0 ? pool : { ...pool, controllers: controllers as readonly Address[] }];
  });
  return withMatchingQueries(pools, reading);
}

/** Pools at a block that were read before: their code, kind and tokens stay. */
export async function heldPools(
  refs: readonly PoolRef[],
  { chain, at }: Pick<Reading, "chain" | "at">,
  held: ReadonlyMap<PoolId, Pool>,
): Promise<readonly Pool[]> {
  const answers = await callGroups(chain, refs.map(movingCalls), at);
  return refs.flatMap((ref, index): Pool[] => {
    const pool = held.get(ref.id);
    const [state, fees] = answers[index] ?? [];
    const read = pool?.curve === "dodo" ? stateFrom(pool.state.kind, state, fees) : undefined;
    return pool?.curve === "dodo" && read !== undefined ? [{ ...pool, state: read }] : [];
  });
}

function movingCalls({ address }: PoolRef): readonly Call[] {
  return [
    { to: address, data: STATE },
    { to: address, data: feesCall(TRADERS[0]) },
  ];
}

function fixedCalls({ address }: PoolRef): readonly Call[] {
  return [feesCall(TRADERS[1]), VERSION, OWNER, ...TOKENS].map((data) => ({ to: address, data }));
}

function feesCall(trader: bigint): Hex {
  return `${FEES}${wordOf(trader)}`;
}

function nameOf(version: Hex | undefined): string {
  return textAt(version ?? "0x", 0) ?? "";
}

function kindOf(name: string): DodoState["kind"] | undefined {
  if (name.includes("Oracle")) return undefined;
  return Object.entries(KINDS).find(([begin]) => name.startsWith(begin))?.[1];
}

/** Accounts that may change a pool's terms; undefined stands for one that it does not tell. */
function controllersOf(name: string, owner: Hex | undefined): readonly (Address | undefined)[] {
  return name.startsWith(OWNED) ? [addressAt(owner ?? "0x", 0)] : [];
}

function stateFrom(kind: DodoState["kind"], state: Hex = "0x", fees: Hex = "0x"): DodoState | undefined {
  const words = Array.from({ length: 7 }, (_, word) => uintAt(state, word));
  const [lpFee, maintainerFee] = [uintAt(fees, 0), uintAt(fees, 1)];
  const r = SIDES[Number(words[6] ?? SIDES.length)];
  if (words.includes(undefined) || lpFee === undefined || maintainerFee === undefined || r === undefined)
    return undefined;
  const [i, k, base, quote, baseTarget, quoteTarget] = words as bigint[] as [
    bigint,
    bigint,
    bigint,
    bigint,
    bigint,
    bigint,
  ];
  const read: DodoState = {
    ...{ kind, i, k, reserves: [base, quote], targets: [baseTarget, quoteTarget], r, lpFee, maintainerFee },
  };
  return impossibleDodo(read) === undefined ? read : undefined;
}

/** Keeps pools whose own queries answer what we compute, and reports the others. */
function withMatchingQueries(pools: readonly DodoPool[], reading: Reading): Promise<readonly DodoPool[]> {
  const { timestamp } = reading.at;
  const probes = pools.flatMap((pool) =>
    QUERIES.flatMap((query, sell) => {
      const direction = { sell, buy: 1 - sell };
      const amount = dodoMath.limits(pool.state, direction, timestamp).maxSell / PROBE_PART;
      const quote = dodoMath.quoteExactIn(pool.state, direction, amount, timestamp);
      if (isRejection(quote)) return [];
      const call: Call = { to: addressOf(pool), data: `${query}${wordOf(TRADERS[0])}${wordOf(amount)}` };
      return [{ pool, call, paid: quote.amount }];
    }),
  );
  return withMatchingAnswers(reading, pools, { probes, within: 0n });
}
