import { readFileSync } from "node:fs";
import { z } from "zod";
import type { MakerRecord } from "./maker-record.ts";
import { addressText, tokenText } from "./numbers.ts";

const urlOf = (protocols: readonly string[]) =>
  z
    .string()
    .refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), {
      error: `must be a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(" or ")}`,
    })
    .transform((text) => new URL(text))
    // A WebSocket cannot be made of one.
    .refine(({ hash }) => hash === "", { error: "must be a URL without #" });

const HTTP = ["https:", "http:"];
const DEFAULT_POLL_MS = 1_000;
const NOT_SENDABLE = /[^\t\x20-\x7e]/;

const MAKER = z
  .strictObject({
    name: z.string().regex(/^[A-Za-z][A-Za-z0-9_]{0,39}$/, {
      error: "must be letters, digits and underscores, 40 at most, a letter first",
    }),
    levelsUrl: urlOf(["wss:", "ws:", ...HTTP]).optional(),
    pollEveryMs: z.int().min(100).max(60_000).optional(),
    pairs: z.array(z.tuple([tokenText, tokenText])).default([]),
    ordersUrl: urlOf(HTTP),
    accounts: z.array(addressText).min(1),
    signers: z.array(addressText).default([]),
    erc1271: z.boolean().default(false),
    settlement: addressText.optional(),
    headers: z
      .record(
        z.string().regex(/^[A-Za-z0-9-]+$/, { error: "must be a header's name" }),
        z.string().refine((text) => !NOT_SENDABLE.test(text), { error: "must be printable ASCII" }),
      )
      .default({}),
    allowPrivateNetwork: z.boolean().default(false),
  })
  .refine((maker) => maker.levelsUrl !== undefined || maker.pairs.length > 0, {
    path: ["pairs"],
    error: "are needed where there is no levelsUrl: the pairs that the maker is asked about",
  })
  .refine((maker) => maker.levelsUrl === undefined || maker.pairs.length === 0, {
    path: ["pairs"],
    error: "are for makers without levelsUrl: levels say what a maker trades",
  })
  .refine((maker) => maker.pollEveryMs === undefined || (maker.levelsUrl?.protocol.startsWith("http") ?? false), {
    path: ["pollEveryMs"],
    error: "is for a levelsUrl that is polled (https)",
  })
  .refine(
    (maker) =>
      maker.allowPrivateNetwork ||
      [maker.levelsUrl, maker.ordersUrl].every((url) => url === undefined || /^(https|wss):$/.test(url.protocol)),
    { path: ["allowPrivateNetwork"], error: "must be true for URLs without TLS (http, ws)" },
  );

const FILE = z.strictObject({ makers: z.array(MAKER).max(64) });

/**
 * The makers of a file. `settlement`: where our OrderSettlement stands; a maker's entry that names another is refused.
 * @throws Error with a line for every mistake; secrets are in none of them
 */
export function readMakersFile(path: string, settlement: string): readonly MakerRecord[] {
  return parseMakers(readFileSync(path, "utf8"), settlement);
}

/** Parses the text of a makers file, as `readMakersFile` does. */
export function parseMakers(text: string, settlement: string): readonly MakerRecord[] {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new Error("it is not JSON");
  }
  const result = FILE.safeParse(json);
  if (!result.success) {
    throw new Error(result.error.issues.map(({ path, message }) => `${path.join(".")} ${message}`).join("\n"));
  }
  const { makers } = result.data;
  const names = new Set(makers.map(({ name }) => name.toLowerCase()));
  if (names.size !== makers.length) throw new Error("two makers have the same name");
  for (const maker of makers) {
    if (maker.settlement !== undefined && maker.settlement !== settlement) {
      throw new Error(`${maker.name}: settlement is ${maker.settlement}, but orders are filled at ${settlement}`);
    }
  }
  return makers.map(({ levelsUrl, pollEveryMs, settlement: _, ...maker }) => ({
    ...maker,
    levels:
      levelsUrl === undefined
        ? undefined
        : levelsUrl.protocol.startsWith("ws")
          ? { transport: "socket", url: levelsUrl }
          : { transport: "poll", url: levelsUrl, everyMs: pollEveryMs ?? DEFAULT_POLL_MS },
  }));
}
