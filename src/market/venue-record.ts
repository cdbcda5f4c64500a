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
      /** Uniswap's own pool contract, in its forks too. */
      readonly protocol: "uniswap-v3";
      readonly source: SourceId;
      readonly factory: Address;
      readonly fromBlock: bigint;
    }
  | {
      /** The same curve; callback and Swap event are PancakeSwap's own. */
      readonly protocol: "pancakeswap-v3";
      readonly source: SourceId;
      readonly factory: Address;
      readonly fromBlock: bigint;
    }
  /** Velodrome V2's interface: volatile and stable pools of one factory that keeps the fees. */
  | {
      readonly protocol: "solidly";
      readonly source: SourceId;
      readonly factory: Address;
      readonly fromBlock: bigint;
    };
