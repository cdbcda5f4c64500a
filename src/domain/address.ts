/** A contract or account address: `0x` and 40 lower-case hex digits. */
export type Address = `0x${string}` & { readonly __brand: "Address" };

/** Bytes as `0x`-prefixed hex: hashes, calldata, topics. */
export type Hex = `0x${string}`;

/** The address that stands for the chain's native token. */
export const NATIVE_TOKEN = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee" as Address;

export const ZERO_ADDRESS = "0x0000000000000000000000000000000000000000" as Address;

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/** Whether `text` has the form of an address, in any letter case. */
export function isAddressText(text: string): text is Hex {
  return ADDRESS.test(text);
}

/**
 * The address that `text` spells, in lower case.
 * @throws RangeError when it is not `0x` and 40 hex digits. Checksums are checked by the API.
 */
export function toAddress(text: string): Address {
  if (!ADDRESS.test(text)) throw new RangeError(`not an address: ${text}`);
  return text.toLowerCase() as Address;
}

/**
 * Computes a pure function once for each argument, and keeps what it answers: for functions that cost much and are called
 * with a few arguments, such as the addresses of a chain's contracts.
 */
export function oncePer<K, V>(compute: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>();
  return (key) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const value = compute(key);
    known.set(key, value);
    return value;
  };
}
