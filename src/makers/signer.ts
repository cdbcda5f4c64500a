import { invert, mod } from "@noble/curves/abstract/modular";
import { secp256k1 } from "@noble/curves/secp256k1";
import { publicKeyToAddress } from "viem/utils";
import { type Address, type Hex, toAddress } from "../domain/address.ts";

type Point = typeof secp256k1.ProjectivePoint.BASE;

/** Order of secp256k1. */
const { n: ORDER } = secp256k1.CURVE;
/** Half of it: an s above it is the mirror image of a lower one, and refused on chain. */
const MAX_S = ORDER / 2n;
const SIGNATURE_DIGITS = 2 + 2 * 65;
/** Bits of a step through a key's multiples: with 8 the first use takes 3 times as long, and others a tenth less. */
const WINDOW_BITS = 6;

/** The form of ECDSA signature that OrderSettlement accepts. */
interface Ecdsa {
  readonly r: bigint;
  readonly s: bigint;
  /** Whether the y of the point that r is the x of is odd. */
  readonly yParity: 0 | 1;
}

/**
 * Tells who signed. It keeps the keys of accounts that are expected to sign: a signature is held against a known key in a
 * quarter of the time that it takes to recover one.
 */
export class Signers {
  /** By account, the one that signed last at the end. */
  readonly #keys = new Map<Address, Point>();

  /** Signer of `digest`; undefined if the signature is invalid, or of another form than OrderSettlement accepts. */
  signerOf(digest: Hex, signature: Hex, expected: readonly Address[]): Address | undefined {
    const ecdsa = parse(signature);
    if (ecdsa === undefined) return undefined;
    try {
      const last = [...this.#keys].findLast(([account]) => expected.includes(account));
      if (last !== undefined && isBy(last[1], digest, ecdsa)) return last[0];
      const key = recovered(digest, ecdsa);
      const signer = toAddress(publicKeyToAddress(`0x${key.toHex(false)}`));
      if (expected.includes(signer)) this.#keep(signer, key);
      return signer;
    } catch {
      return undefined;
    }
  }

  #keep(signer: Address, found: Point): void {
    const key = this.#keys.get(signer) ?? secp256k1.utils.precompute(WINDOW_BITS, found);
    this.#keys.delete(signer);
    this.#keys.set(signer, key);
  }
}

function parse(signature: Hex): Ecdsa | undefined {
  if (signature.length !== SIGNATURE_DIGITS) return undefined;
  const [r, s] = [signature.slice(2, 66), signature.slice(66, 130)].map((digits) => BigInt(`0x${digits}`));
  const yParity = Number.parseInt(signature.slice(130), 16) - 27;
  if (r === undefined || s === undefined || r >= ORDER || s > MAX_S) return undefined;
  if (yParity !== 0 && yParity !== 1) return undefined;
  return { r, s, yParity };
}

/** @throws where there is no such key */
function recovered(digest: Hex, { r, s, yParity }: Ecdsa): Point {
  return new secp256k1.Signature(r, s).addRecoveryBit(yParity).recoverPublicKey(digest.slice(2));
}

/** Whether recovery leads to `key`: z/s G + r/s K is then the point that r and the parity stand for. @throws where r or s is 0 */
function isBy(key: Point, digest: Hex, { r, s, yParity }: Ecdsa): boolean {
  const inverse = invert(s, ORDER);
  const point = secp256k1.ProjectivePoint.BASE.multiply(mod(BigInt(digest) * inverse, ORDER))
    .add(key.multiply(mod(r * inverse, ORDER)))
    .toAffine();
  return point.x === r && Number(point.y & 1n) === yParity;
}
