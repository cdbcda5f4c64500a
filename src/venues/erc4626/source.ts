import { toFunctionSelector } from "viem";
import type { Address } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import type { SourceId } from "../../domain/source.ts";
import type { Call, ChainReader } from "../../market/chain-reader.ts";
import type { LiquiditySource, PoolRef } from "../../market/liquidity-source.ts";
import type { Pool } from "../../pools/pool.ts";
import { rateOfTotals } from "../../pools/vault/math.ts";
import type { VaultState } from "../../pools/vault/state.ts";
import { addressOf, refAt } from "../reading/address-as-id.ts";
import { callGroups } from "../reading/call-groups.ts";
import { listedAndReadWhole } from "../reading/read-whole.ts";
import { previewCalls, previewsAgree } from "../reading/vault-previews.ts";
import { addressAt, uintAt, wordOf } from "../reading/words.ts";
import type { VaultAction } from "./action.ts";
import { erc4626Errors } from "./errors.ts";
import type { Erc4626Record } from "./record.ts";

const ASSET = toFunctionSelector("asset()");
const TOTAL_ASSETS = toFunctionSelector("totalAssets()");
const TOTAL_SUPPLY = toFunctionSelector("totalSupply()");
const MAX_DEPOSIT = toFunctionSelector("maxDeposit(address)");
/** Somebody, since the limit is asked for a receiver. */
const RECEIVER = 1n;

/**
 * ERC-4626 vaults of the record: shares against their asset, either way. Rates move without a log, so that all of a vault
 * is read again for every block. A vault whose previews are not those of OpenZeppelin's formula (fees, other roundings)
 * is left out.
 */
export function erc4626(venue: Erc4626Record): LiquiditySource {
  const offsets = new Map(venue.vaults.map(({ vault, decimalsOffset }) => [vault as string, decimalsOffset]));
  const refs = venue.vaults.map(({ vault, asset }) => refAt(vault, [asset, vault]));
  return {
    id: venue.source,
    kind: "wrapper",
    exactOut: true,
    assurance: "exact",
    errors: erc4626Errors,
    ...listedAndReadWhole(refs, (chain, wanted, at) =>
      syncVaults({ source: venue.source, offsets }, chain, wanted, at),
    ),
    action: (pool): VaultAction => ({ action: "erc4626-vault", vault: addressOf(pool) }),
    fillData: (pool) => ({ vault: pool.id, asset: pool.tokens[0] as Address }),
  };
}

async function syncVaults(
  { source, offsets }: { readonly source: SourceId; readonly offsets: ReadonlyMap<string, number> },
  chain: ChainReader,
  refs: readonly PoolRef[],
  at: BlockRef,
): Promise<readonly Pool[]> {
  const calls = refs.map(({ address: to }): readonly Call[] => [
    { to, data: ASSET },
    { to, data: TOTAL_ASSETS },
    { to, data: TOTAL_SUPPLY },
    { to, data: `${MAX_DEPOSIT}${wordOf(RECEIVER)}` },
    ...previewCalls(to),
  ]);
  const answers = await callGroups(chain, calls, at);
  return refs.flatMap((ref, index): Pool[] => {
    const [asset, ...words] = answers[index] ?? [];
    const figures = words.map((word) => (word === undefined ? undefined : uintAt(word, 0)));
    const [totalAssets, totalSupply, maxDeposit, ...previews] = figures;
    const offset = offsets.get(ref.id);
    if (asset === undefined || addressAt(asset, 0) !== ref.tokens[0] || offset === undefined) return [];
    if (totalAssets === undefined || totalSupply === undefined || maxDeposit === undefined) return [];
    const state: VaultState = { totalAssets, totalSupply, virtualShares: 10n ** BigInt(offset), maxDeposit };
    if (!previewsAgree(rateOfTotals(state), previews)) return [];
    return [{ id: ref.id, source: source, tokens: ref.tokens, curve: "vault", state }];
  });
}
