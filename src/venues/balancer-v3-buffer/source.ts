import { toFunctionSelector } from "viem";
import type { Address, Hex } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import type { Call, ChainReader } from "../../market/chain-reader.ts";
import type { LiquiditySource, PoolRef } from "../../market/liquidity-source.ts";
import { MAX_UINT256 } from "../../math/full-math.ts";
import type { BalancerV3BufferState } from "../../pools/balancer-v3-buffer/state.ts";
import type { Pool } from "../../pools/pool.ts";
import { rateOfTotals } from "../../pools/vault/math.ts";
import { balancerV3Errors } from "../balancer-v3/errors.ts";
import { callGroups } from "../reading/call-groups.ts";
import { listedAndReadWhole } from "../reading/read-whole.ts";
import { previewCalls, previewsAgree } from "../reading/vault-previews.ts";
import { addressAt, uintAt, wordOf } from "../reading/words.ts";
import type { BufferAction } from "./action.ts";
import type { BalancerV3BuffersRecord } from "./record.ts";

type Buffer = BalancerV3BuffersRecord["buffers"][number];

const BUFFER_ASSET = toFunctionSelector("getBufferAsset(address)");
const BUFFER_BALANCE = toFunctionSelector("getBufferBalance(address)");
const ASSET = toFunctionSelector("asset()");
const TOTAL_ASSETS = toFunctionSelector("totalAssets()");
const TOTAL_SUPPLY = toFunctionSelector("totalSupply()");
/** All asked for Balancer's vault, which deals with the ERC-4626 vault in its own name. */
const OF_VAULT = ["maxDeposit(address)", "maxMint(address)", "maxRedeem(address)", "balanceOf(address)"].map(
  (signature) => toFunctionSelector(signature),
);
const OWN = ["getMinimumWrapAmount()", "areBuffersPaused()", "isVaultPaused()"].map((signature) =>
  toFunctionSelector(signature),
);

/**
 * Balancer V3's buffers of the record's ERC-4626 vaults: shares against their asset, either way. Rates move without a log,
 * so that all of a buffer is read again for every block. One whose vault has another asset than the buffer, or other
 * previews than OpenZeppelin's formula gives, is left out; while Balancer's vault is paused none is used.
 */
export function balancerV3Buffers(venue: BalancerV3BuffersRecord): LiquiditySource {
  const { vault } = venue;
  const refs = venue.buffers.map(
    ({ wrapped, asset }): PoolRef => ({
      id: idOf(vault, wrapped),
      address: vault,
      tokens: [asset, wrapped],
      terms: {},
    }),
  );
  return {
    id: venue.source,
    kind: "wrapper",
    exactOut: true,
    assurance: "exact",
    errors: balancerV3Errors,
    ...listedAndReadWhole(refs, (chain, wanted, at) => syncBuffers(venue, chain, wanted, at)),
    action: ({ tokens }): BufferAction => ({ action: "balancer-v3-buffer", vault, wrapped: tokens[1] as Address }),
    fillData: ({ tokens }) => ({ vault, wrappedToken: tokens[1] as Address }),
  };
}

/** A vault has one buffer for each ERC-4626 vault: both addresses name it. */
function idOf(vault: Address, wrapped: Address): PoolRef["id"] {
  return `${vault}${wrapped.slice(2)}`;
}

async function syncBuffers(
  venue: BalancerV3BuffersRecord,
  chain: ChainReader,
  refs: readonly PoolRef[],
  at: BlockRef,
): Promise<readonly Pool[]> {
  const { vault, source } = venue;
  const listed = refs.flatMap((ref) => {
    const buffer = venue.buffers.find(({ wrapped }) => idOf(vault, wrapped) === ref.id);
    return buffer === undefined ? [] : [{ ref, buffer }];
  });
  const own = OWN.map((data): Call => ({ to: vault, data }));
  const groups = listed.map(({ buffer: { wrapped: to } }): readonly Call[] => [
    ...[BUFFER_ASSET, BUFFER_BALANCE].map((name) => ({ to: vault, data: `${name}${wordOf(BigInt(to))}` as Hex })),
    ...[ASSET, TOTAL_ASSETS, TOTAL_SUPPLY].map((data) => ({ to, data })),
    ...OF_VAULT.map((name) => ({ to, data: `${name}${wordOf(BigInt(vault))}` as Hex })),
    ...previewCalls(to),
  ]);
  const [ofVault = [], ...answers] = await callGroups(chain, [own, ...groups], at);
  const [minWrap, buffersPaused, vaultPaused] = ofVault.map((word) => uintAt(word ?? "0x", 0));
  if (minWrap === undefined || buffersPaused === undefined || vaultPaused === undefined) return [];
  const paused = buffersPaused !== 0n || vaultPaused !== 0n;
  return listed.flatMap(({ ref, buffer }, index): Pool[] => {
    const [bufferAsset, ...rest] = answers[index] ?? [];
    if (addressAt(bufferAsset ?? "0x", 0) !== buffer.asset) return [];
    const held = stateFrom(buffer, rest);
    if (held === undefined) return [];
    const state = { ...held, minWrap, paused };
    return [{ id: ref.id, source, tokens: ref.tokens, curve: "balancer-v3-buffer", state }];
  });
}

/** Buffer's own state; undefined if its ERC-4626 vault is not of the kind that the maths is for. */
function stateFrom(
  { asset, decimalsOffset }: Buffer,
  [balance, vaultAsset, ...words]: readonly (Hex | undefined)[],
): Omit<BalancerV3BufferState, "minWrap" | "paused"> | undefined {
  if (addressAt(vaultAsset ?? "0x", 0) !== asset) return undefined;
  const [assets, shares] = [0, 1].map((word) => uintAt(balance ?? "0x", word, 128));
  const [totalAssets, totalSupply, maxDeposit, maxMint, maxRedeem, owned, ...previews] = words.map((word) =>
    uintAt(word ?? "0x", 0),
  );
  if (assets === undefined || shares === undefined || totalAssets === undefined || totalSupply === undefined)
    return undefined;
  if (maxDeposit === undefined || maxMint === undefined || maxRedeem === undefined || owned === undefined)
    return undefined;
  const totals = { totalAssets, totalSupply, virtualShares: 10n ** BigInt(decimalsOffset) };
  if (!previewsAgree(rateOfTotals(totals), previews)) return undefined;
  const mintable = (maxMint * (totalAssets + 1n)) / (totalSupply + totals.virtualShares);
  return {
    ...{ ...totals, assets, shares },
    maxDeposit: maxMint === MAX_UINT256 || mintable > maxDeposit ? maxDeposit : mintable,
    // A holder that may take back all that it has may take back what it is paid as well.
    maxRedeem: maxRedeem === owned ? MAX_UINT256 : maxRedeem,
  };
}
