import type { Address } from "./address.ts";

/** A swap to route. Amounts are gross: what the route itself takes in or pays out, in base units. */
export type SwapOrder =
  | { readonly kind: "exactIn"; readonly sellToken: Address; readonly buyToken: Address; readonly sellAmount: bigint }
  | { readonly kind: "exactOut"; readonly sellToken: Address; readonly buyToken: Address; readonly buyAmount: bigint };
