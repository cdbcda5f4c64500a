import { type Address, toAddress } from "../address.ts";

/** Uniswap's Permit2, which stands at this address on every chain that has it. */
export const PERMIT2 = toAddress("0x000000000022d473030f116ddee9f6b43ac78ba3");

/** EIP-712 typed data as `eth_signTypedData_v4` takes it, integers as bigint. */
export interface TypedData {
  readonly domain: {
    readonly name: string;
    readonly version?: string;
    readonly chainId: bigint;
    readonly verifyingContract: Address;
  };
  /** All types but that of the domain. */
  readonly types: Readonly<Record<string, readonly { readonly name: string; readonly type: string }[]>>;
  readonly primaryType: string;
  readonly message: Readonly<Record<string, unknown>>;
}

/** EIP-712 domain of a token's permits, and the owner's next nonce. */
export interface PermitDomain {
  /** "dai": DAI's own permit, which is older than EIP-2612 and allows all or nothing. */
  readonly form: "eip2612" | "dai";
  readonly name: string;
  readonly version: string;
  readonly nonce: bigint;
}
