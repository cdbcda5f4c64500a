import type { Address } from "../../domain/address.ts";
import type { ReferenceMaker } from "./reference-maker.ts";

/** MAKERS_FILE for the reference maker: once with its levels, once for the pairs it is asked about. */
export function makersFileOf(maker: ReferenceMaker, settlement: Address): string {
  const common = {
    ordersUrl: maker.ordersUrl,
    accounts: [maker.account],
    settlement,
    headers: { authorization: maker.authorization },
    allowPrivateNetwork: true,
  };
  const makers = [
    { name: "Reference_Maker", levelsUrl: maker.levelsUrl, ...common },
    { name: "Reference_RFQ", pairs: maker.askedPairs, ...common },
  ];
  return JSON.stringify({ makers }, null, 2);
}
