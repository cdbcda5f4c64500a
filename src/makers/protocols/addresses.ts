import { getAddress } from "viem/utils";
import { type Address, toAddress } from "../../domain/address.ts";

/** One contract that stands at the same address on these chains. */
export function everyChain(address: string, chainIds: readonly number[]): ReadonlyMap<number, Address> {
  return new Map(chainIds.map((chainId) => [chainId, toAddress(address)]));
}

/** An address in the letter case of ERC-55. */
export function checksummed(address: Address): string {
  return getAddress(address);
}
