import type { Address } from "./address.ts";

/** The chain that is served, as pages for people name it. */
export interface Network {
  readonly chainId: number;
  readonly name: string;
  /** The token that gas is paid in, 18 decimals. */
  readonly native: { readonly symbol: string; readonly name: string };
  readonly wrappedNative: Address;
  /** A block explorer that knows `/tx/`, `/address/` and `/token/`, without a slash at the end. */
  readonly explorer?: string | undefined;
  /** A stable coin of the US dollar that amounts are valued in for people. */
  readonly usdToken?: Address | undefined;
}
