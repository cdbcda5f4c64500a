import type { Address } from "../../domain/address.ts";
import type { VenueRecord } from "../../market/venue-record.ts";

/** Facts about a chain that are needed before its node is asked. All of it is data: no code names a chain. */
export interface ChainRecord {
  readonly chainId: number;
  readonly name: string;
  /** The token that gas is paid in, 18 decimals. */
  readonly native: { readonly symbol: string; readonly name: string };
  /** The ERC-20 that wraps the native token one to one (WETH9 interface). */
  readonly wrappedNative: Address;
  readonly multicall3: Address;
  /** Milliseconds between blocks, as a rule. */
  readonly blockTimeMs: number;
  /** Blocks after which a reorganization is not expected any more. */
  readonly finalityDepth: number;
  readonly venues: readonly VenueRecord[];
  /** Tokens with deep pools that others are valued by, the deepest first; those that most pools hold by default. */
  readonly referenceTokens?: readonly Address[];
  /** Accounts that can change pools' terms at will (V4 hooks, owners, rate providers) and are trusted: docs/sources.md. */
  readonly allowedControllers?: readonly Address[];
  /**
   * Whole native tokens that make a token which is not listed deep enough to be a hop, about 150,000 US dollars: see
   * HOP_TOKEN_MIN_DEPTH. Absent: only listed ones are hops.
   */
  readonly hopTokenMinDepth?: number;
  /** Contract that tells the data fee, on rollups whose transactions pay for their data separately. */
  readonly dataFee?: { readonly kind: "op-stack" | "arbitrum"; readonly oracle: Address };
  /** Most gas of one transaction where that is not 2^24 (EIP-7825). */
  readonly mostTransactionGas?: bigint;
  /** "unreliable" where headers' logs blooms do not tell of the block's logs; by default every block is held to its bloom. */
  readonly logsBloom?: "unreliable";
  /** A block explorer for people that knows `/tx/`, `/address/` and `/token/`, without a slash at the end. */
  readonly explorer?: string;
  /** A stable coin of the US dollar that amounts are valued in for people. No price depends on it. */
  readonly usdToken?: Address;
}
