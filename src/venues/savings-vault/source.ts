import { toFunctionSelector } from "viem";
import type { Address } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import type { SourceId } from "../../domain/source.ts";
import type { Call, ChainReader } from "../../market/chain-reader.ts";
import type { LiquiditySource, PoolRef } from "../../market/liquidity-source.ts";
import type { Pool } from "../../pools/pool.ts";
import { RAY, rateAt } from "../../pools/savings/accrual.ts";
import type { SavingsState } from "../../pools/savings/state.ts";
import type { VaultAction } from "../erc4626/action.ts";
import { addressOf, refAt } from "../reading/address-as-id.ts";
import { callGroups } from "../reading/call-groups.ts";
import { listedAndReadWhole } from "../reading/read-whole.ts";
import { previewCalls, previewsAgree } from "../reading/vault-previews.ts";
import { addressAt, uintAt } from "../reading/words.ts";
import type { SavingsVaultRecord } from "./record.ts";

const ASSET = toFunctionSelector("asset()");
const CHI = toFunctionSelector("chi()");
const RHO = toFunctionSelector("rho()");
const GROWTH = { ssr: toFunctionSelector("ssr()"), dsr: toFunctionSelector("dsr()") } as const;
const TOTAL_SUPPLY = toFunctionSelector("totalSupply()");

type VaultTerms = SavingsVaultRecord["vaults"][number];

/**
 * Vaults of the record whose rate grows by the second: shares against their asset, either way. The rate may be written
 * down by anybody and its growth be changed without a log of the vault's, so that all of a vault is read again for every
 * block. A vault whose previews are not its rate at that block's time is left out.
 */
export function savingsVault(venue: SavingsVaultRecord): LiquiditySource {
  const termsOf = new Map(venue.vaults.map((terms) => [terms.vault as string, terms]));
  const refs = venue.vaults.map(({ vault, asset }) => refAt(vault, [asset, vault]));
  return {
    id: venue.source,
    kind: "wrapper",
    exactOut: true,
    assurance: "modelled",
    ...listedAndReadWhole(refs, (chain, wanted, at) =>
      syncVaults({ source: venue.source, termsOf }, chain, wanted, at),
    ),
    action: (pool): VaultAction => ({ action: "erc4626-vault", vault: addressOf(pool) }),
    fillData: (pool) => ({ vault: pool.id, asset: pool.tokens[0] as Address }),
  };
}

async function syncVaults(
  { source, termsOf }: { readonly source: SourceId; readonly termsOf: ReadonlyMap<string, VaultTerms> },
  chain: ChainReader,
  refs: readonly PoolRef[],
  at: BlockRef,
): Promise<readonly Pool[]> {
  const known = refs.flatMap((ref) => {
    const terms = termsOf.get(ref.id);
    return terms === undefined ? [] : [{ ref, terms }];
  });
  const calls = known.map(({ ref: { address: to }, terms: { rates, growth } }): readonly Call[] => [
    { to, data: ASSET },
    { to: rates, data: CHI },
    { to: rates, data: GROWTH[growth] },
    { to: rates, data: RHO },
    { to, data: TOTAL_SUPPLY },
    ...previewCalls(to),
  ]);
  const answers = await callGroups(chain, calls, at);
  return known.flatMap(({ ref }, index): Pool[] => {
    const [asset, ...words] = answers[index] ?? [];
    const figures = words.map((word) => (word === undefined ? undefined : uintAt(word, 0)));
    const [rate, growth, updatedAt, totalSupply, ...previews] = figures;
    if (asset === undefined || addressAt(asset, 0) !== ref.tokens[0]) return [];
    if (!rate || growth === undefined || updatedAt === undefined || totalSupply === undefined) return [];
    const state: SavingsState = { rate, growth, updatedAt, totalSupply };
    const assets = rateAt(state, at.timestamp);
    if (!assets || !previewsAgree({ assets, shares: RAY }, previews)) return [];
    return [{ id: ref.id, source, tokens: ref.tokens, curve: "savings", state }];
  });
}
