import { numberToHex, parseSignature, serializeSignature } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { expect, it } from "vitest";
import { type Hex, toAddress } from "../../src/domain/address.ts";
import { signerOf } from "../../src/makers/signer.ts";

const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const MAX_S = CURVE_ORDER / 2n;
const key = privateKeyToAccount(`0x${"11".repeat(32)}`);
const digest: Hex = `0x${"5a".repeat(32)}`;

it("the signer of a digest is told from the one form that OrderSettlement takes, and from no other", async () => {
  const signature = await key.sign({ hash: digest });
  const { r, s, yParity } = parseSignature(signature);
  expect(await signerOf(digest, signature)).toBe(toAddress(key.address));
  expect(await signerOf(`0x${"5b".repeat(32)}`, signature)).not.toBe(toAddress(key.address));
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
    "an r beyond the curve": `0x${"ff".repeat(32)}${signature.slice(66)}`,
  };
  for (const [name, form] of Object.entries(others)) expect(await signerOf(digest, form), name).toBeUndefined();
  // The largest s that has no mirror image below it, as the contract has it.
  const withS = (value: bigint) => serializeSignature({ r, s: numberToHex(value, { size: 32 }), yParity });
  expect(await signerOf(digest, withS(MAX_S))).toBeDefined();
  expect(await signerOf(digest, withS(MAX_S + 1n))).toBeUndefined();
});
