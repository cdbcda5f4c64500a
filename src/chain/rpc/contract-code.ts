import { keccak256 } from "viem";
import type { Hex } from "../../domain/address.ts";

/** Opcodes that run other code, or let other code come here: DELEGATECALL, CALLCODE, SELFDESTRUCT. */
const CHANGING = new Map([
  [0xf4, "DELEGATECALL"],
  [0xf2, "CALLCODE"],
  [0xff, "SELFDESTRUCT"],
]);
const PUSH1 = 0x60;
const PUSH32 = 0x7f;

/**
 * Reason for which runtime code is not the code of this hash, or may do something else tomorrow, as a few words; undefined for code
 * that is and stays as it is named. A proxy has the hash of a proxy, whatever it stands for: it is never trusted.
 */
export function codeFault(code: Hex, hash: Hex): string | undefined {
  if (code === "0x") return "there is no contract";
  const found = keccak256(code);
  if (found !== hash) return `its code hash is ${found}, not ${hash}`;
  const opcode = changingOpcode(code);
  return opcode && `its code may run other code (${opcode}): a proxy is not trusted by its hash`;
}

/** The first opcode that makes code depend on other code; undefined where there is none. What follows a PUSH is data. */
function changingOpcode(code: Hex): string | undefined {
  const bytes = Buffer.from(code.slice(2), "hex");
  const end = bytes.length - metadataLength(bytes);
  for (let at = 0; at < end; at++) {
    const opcode = bytes[at] as number;
    const name = CHANGING.get(opcode);
    if (name !== undefined) return name;
    if (opcode >= PUSH1 && opcode <= PUSH32) at += opcode - PUSH1 + 1;
  }
  return undefined;
}

/** Length of what solc writes behind the code: its own length is in the last two bytes, and it begins as a CBOR map. */
function metadataLength(bytes: Buffer): number {
  if (bytes.length < 2) return 0;
  const length = bytes.readUInt16BE(bytes.length - 2) + 2;
  const first = bytes[bytes.length - length];
  return first !== undefined && first >= 0xa1 && first <= 0xa4 ? length : 0;
}
