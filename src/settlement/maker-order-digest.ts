import { hashTypedData } from "viem";
import type { Address, Hex } from "../domain/address.ts";
import type { MakerOrder } from "../domain/maker-order.ts";

/** The EIP-712 type of an order, for whoever signs with a wallet's own `signTypedData` (primary type `MakerOrder`). */
export const MAKER_ORDER_TYPES = {
  MakerOrder: [
    { name: "maker", type: "address" },
    { name: "taker", type: "address" },
    { name: "trader", type: "address" },
    { name: "makerToken", type: "address" },
    { name: "takerToken", type: "address" },
    { name: "makerAmount", type: "uint128" },
    { name: "takerAmount", type: "uint128" },
    { name: "minTakerAmount", type: "uint128" },
    { name: "expiry", type: "uint64" },
    { name: "nonce", type: "uint256" },
    { name: "refillable", type: "bool" },
  ],
} as const;

/** The EIP-712 domain of a chain's OrderSettlement. */
function makerOrderDomain(chainId: number, settlement: Address) {
  return { name: "Tributary Orders", version: "1", chainId, verifyingContract: settlement } as const;
}

/**
 * EIP-712 digest that the maker signs for OrderSettlement at `settlement` on the chain `chainId`.
 * A signature is 65 bytes r, s, v (low s, v 27 or 28), or whatever the maker's own ERC-1271 contract accepts.
 * @throws when a number does not fit its type.
 */
export function makerOrderDigest(order: MakerOrder, chainId: number, settlement: Address): Hex {
  return hashTypedData({
    domain: makerOrderDomain(chainId, settlement),
    types: MAKER_ORDER_TYPES,
    primaryType: "MakerOrder",
    message: order,
  });
}
