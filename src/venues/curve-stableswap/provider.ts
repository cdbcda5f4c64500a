import type { Address } from "../../domain/address.ts";
import type { NumberedLists } from "../discovery/numbered-lists.ts";

/**
 * Numbers of pool lists in Curve's address provider (AddressProviderNG.vy): the factories of
 * StableSwap-NG, Twocrypto-NG and Tricrypto-NG, those of plain pools, metapools and crypto pools before, then the registries
 * that others added pools to, and MetaRegistry, which has all of them.
 */
const LISTS = [12, 13, 11, 8, 3, 6, 0, 5, 7] as const;

/** Curve's pool lists of a record; undefined if it names none. */
export function curveLists(record: {
  readonly lists?: readonly Address[] | undefined;
  readonly addressProvider?: Address | undefined;
}): NumberedLists | undefined {
  const { lists = [], addressProvider } = record;
  if (lists.length === 0 && addressProvider === undefined) return undefined;
  return { lists, ...(addressProvider && { provider: { address: addressProvider, ids: LISTS } }) };
}
