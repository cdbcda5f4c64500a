import type { Hex } from "../../domain/address.ts";

const MAX_CHARS = 64;
const WORD_CHARS = 64;

/**
 * A symbol or name as tokens answer it: an ABI string, or 32 bytes filled up with zeros (tokens from before strings).
 * Cleaned; undefined when nothing readable is left.
 */
export function readTokenText(answer: Hex): string | undefined {
  const hex = answer.slice(2);
  const bytes = hex.length === WORD_CHARS ? hex.replace(/(00)+$/, "") : stringBytes(hex);
  if (bytes === undefined) return undefined;
  const clean = cleanTokenText(new TextDecoder().decode(Buffer.from(bytes.slice(0, 8 * MAX_CHARS), "hex")));
  return clean === "" ? undefined : clean;
}

/** A symbol or name without characters that are invisible or change the direction of writing, cut at 64. */
export function cleanTokenText(text: string): string {
  return [...text.replace(/[\p{C}\p{Zl}\p{Zp}\ufffd]/gu, "").trim()].slice(0, MAX_CHARS).join("");
}

function stringBytes(hex: string): string | undefined {
  const offset = wordAt(hex, 0);
  if (offset === undefined) return undefined;
  const length = wordAt(hex, offset * 2);
  if (length === undefined) return undefined;
  const start = offset * 2 + WORD_CHARS;
  return start + length * 2 <= hex.length ? hex.slice(start, start + length * 2) : undefined;
}

function wordAt(hex: string, at: number): number | undefined {
  const text = hex.slice(at, at + WORD_CHARS);
  return text.length === WORD_CHARS && /^0{56}/.test(text) ? Number.parseInt(text.slice(56), 16) : undefined;
}
