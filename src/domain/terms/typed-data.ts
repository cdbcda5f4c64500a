import type { Address } from "../address.ts";

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

/** What a token says of its approvals by EIP-2612, and of the owner's next nonce. */
export interface PermitDomain {
  readonly name: string;
  readonly version: string;
  readonly nonce: bigint;
}
