import type { Hex } from "../../../src/domain/address.ts";

const WORD_CHARS = 64;

/** Runtime code of a contract that answers each selector with fixed bytes, and does something else to all other calls. */
export function answeringCode(answers: Readonly<Record<Hex, Hex>>, otherwise: "revert" | "burn" = "revert"): Hex {
  const entries = Object.entries(answers);
  const fallback = otherwise === "revert" ? "60006000fd" : "fe";
  const dispatch = 6 + 11 * entries.length + fallback.length / 2;
  let bodies = "";
  let code = "60003560e01c";
  for (const [selector, answer] of entries) {
    code += `8063${selector.slice(2)}1461${hex(dispatch + bodies.length / 2)}57`;
    const words = answer.slice(2).match(/.{1,64}/g) ?? [];
    const stores = words.map((word, index) => `7f${word.padEnd(WORD_CHARS, "0")}61${hex(32 * index)}52`).join("");
    bodies += `5b${stores}61${hex(answer.length / 2 - 1)}6000f3`;
  }
  return `0x${code}${fallback}${bodies}`;
}

function hex(value: number): string {
  return value.toString(16).padStart(4, "0");
}

/** A string as contracts return it. */
export function stringAnswer(text: string): Hex {
  const bytes = Buffer.from(text).toString("hex");
  const length = (bytes.length / 2).toString(16).padStart(WORD_CHARS, "0");
  const padded = bytes.padEnd(Math.ceil(bytes.length / WORD_CHARS) * WORD_CHARS, "0");
  return `0x${"20".padStart(WORD_CHARS, "0")}${length}${padded}`;
}

export function wordAnswer(value: bigint): Hex {
  return `0x${value.toString(16).padStart(WORD_CHARS, "0")}`;
}
