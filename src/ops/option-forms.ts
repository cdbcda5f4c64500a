import { z } from "zod";

const DECIMAL = /^\d+$/;

/** A whole number in decimal digits. */
export function whole(least: number, most: number) {
  return z
    .string()
    .refine((text) => DECIMAL.test(text) && Number(text) >= least && Number(text) <= most, {
      error: `must be a whole number from ${least} to ${most}`,
    })
    .transform(Number);
}

/** 0 or 1. */
export const flag = z.enum(["0", "1"], { error: "must be 0 or 1" }).transform((text) => text === "1");

/** Texts with commas between them. */
export const list = z.string().transform((text) =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== ""),
);

/** A URL of PostgreSQL, whatever else it says. */
export function isDatabaseUrl(text: string): boolean {
  return /^postgres(ql)?:\/\/./.test(text) && URL.canParse(text);
}

/** URLs with commas between them, each once. */
export const urls = (protocol: RegExp, example: string) =>
  list
    .refine((items) => items.every((item) => z.url({ protocol }).safeParse(item).success), {
      error: `must be a URL like ${example}, or several with commas between them`,
    })
    .refine((items) => new Set(items).size === items.length, {
      error: "names a node twice: its word would count as two nodes'",
    });
