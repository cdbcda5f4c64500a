import type { Address } from "../../domain/address.ts";
import type { NumberedLists } from "../discovery/numbered-lists.ts";

/**
 * What Curve's address provider keeps under which number, as far as it lists pools (AddressProviderNG.vy): the factories of
 * StableSwap-NG, Twocrypto-NG and Tricrypto-NG, those of plain pools, metapools and crypto pools before, then the registries
 * that others added pools to, and MetaRegistry, which has all of them.
 */
const LISTS = [12, 13, 11, 8, 3, 6, 0, 5, 7] as const;

/** Where a record has Curve's pools listed; undefined where it names no list. */
export function curveLists(record: {
  readonly lists?: readonly Address[] | undefined;
  readonly addressProvider?: Address | undefined;
}): NumberedLists | undefined {
  const { lists = [], addressProvider } = record;
  if (lists.length === 0 && addressProvider === undefined) return undefined;
  return { lists, ...(addressProvider && { provider: { address: addressProvider, ids: LISTS } }) };
}
