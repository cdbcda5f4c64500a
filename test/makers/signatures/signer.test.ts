import { numberToHex, parseSignature, serializeSignature } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { expect, it } from "vitest";
import { type Hex, toAddress } from "../../../src/domain/address.ts";
import { Signers } from "../../../src/makers/signer.ts";

const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const MAX_S = CURVE_ORDER / 2n;
const key = privateKeyToAccount(`0x${"11".repeat(32)}`);
const digest: Hex = `0x${"5a".repeat(32)}`;

const own = toAddress(key.address);

/** Tells signers, once without any key and once with the one that signs. */
function eachTwice() {
  const known = new Signers();
  return {
    known,
    fresh: (of: Hex, signature: Hex) => new Signers().signerOf(of, signature, [own]),
    again: (of: Hex, signature: Hex) => known.signerOf(of, signature, [own]),
  };
}

it("the signer of a digest is told from the one form that OrderSettlement takes, and from no other", async () => {
  const signature = await key.sign({ hash: digest });
  const { r, s, yParity } = parseSignature(signature);
  const { known, fresh, again } = eachTwice();
  expect(known.signerOf(digest, signature, [own])).toBe(own);
  const withV = (v: string) => `${signature.slice(0, -2)}${v}` as Hex;
  const others: Readonly<Record<string, Hex>> = {
    mirrored: serializeSignature({ r, s: numberToHex(CURVE_ORDER - BigInt(s), { size: 32 }), yParity: 1 - yParity }),
    "v of 0 or 1": withV(`0${yParity}`),
    "v of 26": withV("1a"),
    "v of 29": withV("1d"),
    "v of EIP-155": withV("25"),
    short: signature.slice(0, -2) as Hex,
    long: `${signature}00`,
    empty: "0x",
    zero: `0x${"00".repeat(65)}`,
    "an r of zero": `0x${"00".repeat(32)}${signature.slice(66)}`,
    "an r beyond the curve": `0x${"ff".repeat(32)}${signature.slice(66)}`,
  };
  // The largest s that has no mirror image below it, as the contract has it.
  const withS = (value: bigint) => serializeSignature({ r, s: numberToHex(value, { size: 32 }), yParity });
  for (const signerOf of [fresh, again]) {
    expect(signerOf(digest, signature)).toBe(own);
    expect(signerOf(`0x${"5b".repeat(32)}`, signature)).not.toBe(own);
    expect(signerOf(digest, withV(yParity === 0 ? "1c" : "1b"))).not.toBe(own);
    for (const [name, form] of Object.entries(others)) expect(signerOf(digest, form), name).toBeUndefined();
    expect(signerOf(digest, withS(MAX_S))).toBeDefined();
    expect(signerOf(digest, withS(MAX_S + 1n))).toBeUndefined();
  }
});

it("a known key and a recovered one tell the same signer of any signature", async () => {
  const { known, fresh } = eachTwice();
  const second = privateKeyToAccount(`0x${"22".repeat(32)}`);
  const accounts = [own, toAddress(second.address)];
  for (let i = 0; i < 12; i++) {
    const hash: Hex = `0x${(i + 1).toString(16).padStart(64, "0")}`;
    const account = i % 3 === 2 ? second : key;
    const signature = await account.sign({ hash });
    expect(known.signerOf(hash, signature, accounts)).toBe(toAddress(account.address));
    expect(fresh(hash, signature)).toBe(toAddress(account.address));
  }
});
