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
  | {
      /** Algebra Integral. */
      readonly protocol: "algebra";
      readonly source: SourceId;
      readonly factory: Address;
      readonly fromBlock: bigint;
    }
  | {
      readonly protocol: "uniswap-v4";
      readonly source: SourceId;
      /** The PoolManager, which all pools are in. */
      readonly factory: Address;
      readonly fromBlock: bigint;
    }
  /** Slipstream's interface (Velodrome, Aerodrome): concentrated pools by tick spacing, fees of the factory's making. */
  | {
      readonly protocol: "slipstream";
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
    }
  /** Curve's plain stableswap pools and metapools, one by one. */
  | {
      readonly protocol: "curve-stableswap";
      readonly source: SourceId;
      /**
       * Coins in the pool's own order, the native token as such; "ng" for StableSwap-NG, "old" for what was before it. A
       * metapool says whose share its last coin is. A pool whose own share is to be traded says which token that is: the
       * pool itself, or one that it is the minter of.
       */
      readonly pools: readonly {
        readonly address: Address;
        readonly coins: readonly Address[];
        readonly generation: "old" | "ng";
        readonly basePool?: Address;
        readonly share?: Address;
      }[];
      readonly fromBlock: bigint;
    }
  /** Balancer V2: pools of one vault, those of these factories. */
  | {
      readonly protocol: "balancer-v2";
      readonly source: SourceId;
      readonly vault: Address;
      /** "weighted-v1" is the first version, with and without a price oracle. */
      readonly factories: readonly {
        readonly factory: Address;
        readonly kind: "weighted" | "weighted-v1" | "composable-stable" | "meta-stable";
      }[];
      readonly fromBlock: bigint;
    }
  /** Curve's twocrypto-NG and tricrypto-NG pools, and tricrypto pools before, one by one. */
  | {
      readonly protocol: "curve-cryptoswap";
      readonly source: SourceId;
      /**
       * Two or three coins in the pool's own order. A tricrypto pool before NG says of which generation it is: "first" as of
       * May 2021, "second" as of July 2021.
       */
      readonly pools: readonly {
        readonly address: Address;
        readonly coins: readonly Address[];
        readonly generation?: "first" | "second";
      }[];
      readonly fromBlock: bigint;
    }
  /** Balancer V3: pools of one vault, those of these factories. */
  | {
      readonly protocol: "balancer-v3";
      readonly source: SourceId;
      readonly vault: Address;
      readonly factories: readonly { readonly factory: Address; readonly kind: "weighted" | "stable" }[];
      readonly fromBlock: bigint;
    }
  /** Buffers that Balancer V3's vault keeps of ERC-4626 vaults with OpenZeppelin's formula, one by one. */
  | {
      readonly protocol: "balancer-v3-buffers";
      readonly source: SourceId;
      /** Balancer's. */
      readonly vault: Address;
      readonly buffers: readonly {
        /** The ERC-4626 vault, which is its own share. */
        readonly wrapped: Address;
        readonly asset: Address;
        /** What the ERC-4626 vault's `_decimalsOffset` returns. */
        readonly decimalsOffset: number;
      }[];
      readonly fromBlock: bigint;
    }
  /** ERC-4626 vaults with OpenZeppelin's formula, one by one. */
  | {
      readonly protocol: "erc4626";
      readonly source: SourceId;
      readonly vaults: readonly {
        readonly vault: Address;
        readonly asset: Address;
        /** What the vault's `_decimalsOffset` returns. */
        readonly decimalsOffset: number;
      }[];
      readonly fromBlock: bigint;
    }
  /** Tokens with wstETH's interface, one by one. */
  | {
      readonly protocol: "rate-token";
      readonly source: SourceId;
      readonly tokens: readonly {
        readonly token: Address;
        /** What it wraps. */
        readonly underlying: Address;
        /** The contract with `getTotalPooledEther` and `getTotalShares`, which are the rate; stETH with Lido. */
        readonly totals: Address;
      }[];
      readonly fromBlock: bigint;
    }
  /** Price stability modules with DssLitePsm's interface, one by one. */
  | {
      readonly protocol: "psm";
      readonly source: SourceId;
      readonly modules: readonly {
        readonly psm: Address;
        /** The stablecoin that it issues. */
        readonly dai: Address;
        /** The token that stands behind it. */
        readonly gem: Address;
      }[];
      readonly fromBlock: bigint;
    };
