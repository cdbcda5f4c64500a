import { recoverAddress } from "viem/utils";
import { type Address, type Hex, toAddress } from "../domain/address.ts";

/** Half the order of secp256k1: an s above it is the mirror image of a lower one, and refused on chain. */
const MAX_S = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;
const SIGNATURE_DIGITS = 2 + 2 * 65;

/** Signer of `digest`, by the one form of ECDSA signature that OrderSettlement accepts; undefined if it is invalid. */
export async function signerOf(digest: Hex, signature: Hex): Promise<Address | undefined> {
  if (signature.length !== SIGNATURE_DIGITS) return undefined;
  const s = BigInt(`0x${signature.slice(66, 130)}`);
  const v = Number.parseInt(signature.slice(130), 16);
  if (s > MAX_S || (v !== 27 && v !== 28)) return undefined;
  try {
    return toAddress(await recoverAddress({ hash: digest, signature }));
  } catch {
    return undefined;
  }
}
