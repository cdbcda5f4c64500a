import type { Address } from "../domain/address.ts";
import type { SourceId } from "../domain/source.ts";

/** One deployment of an exchange on a chain, as data. `protocol` names the implementation that serves it. */
export type VenueRecord =
  | {
      readonly protocol: "uniswap-v2";
      readonly source: SourceId;
      readonly factory: Address;
      /** Of `feeDen` parts of what goes in, the pair keeps `feeNum`. */
      readonly feeNum: bigint;
      readonly feeDen: bigint;
      /** Block of the factory's deployment: where the search for pools begins. */
      readonly fromBlock: bigint;
    }
  | {
      readonly protocol: "uniswap-v3";
      readonly source: SourceId;
      readonly factory: Address;
      readonly fromBlock: bigint;
    };
