import { readFileSync } from "node:fs";
import { z } from "zod";
import type { Address } from "../domain/address.ts";
import type { MakerRecord } from "./maker-record.ts";
import { addressText, tokenText } from "./numbers.ts";
import { FOREIGN_PROTOCOLS, type ForeignProtocolName, foreignProtocol } from "./protocols/index.ts";

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
    protocol: z.enum(Object.keys(FOREIGN_PROTOCOLS) as [ForeignProtocolName]).optional(),
    accounts: z.array(addressText).default([]),
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
  .refine((maker) => maker.protocol !== undefined || maker.accounts.length > 0, {
    path: ["accounts"],
    error: "are needed: the accounts whose tokens may be sold",
  })
  .refine((maker) => maker.protocol === undefined || (maker.signers.length === 0 && !maker.erc1271), {
    path: ["protocol"],
    error: "settles by a contract of its own, which judges signatures: leave out signers and erc1271",
  })
  .refine((maker) => maker.levelsUrl === undefined || showsLevels(maker.protocol), {
    path: ["levelsUrl"],
    error: "is not for makers of this protocol, which show no levels: name their pairs",
  })
  .refine(
    (maker) =>
      maker.allowPrivateNetwork ||
      [maker.levelsUrl, maker.ordersUrl].every((url) => url === undefined || /^(https|wss):$/.test(url.protocol)),
    { path: ["allowPrivateNetwork"], error: "must be true for URLs without TLS (http, ws)" },
  );

const FILE = z.strictObject({ makers: z.array(MAKER).max(64) });

/** Chain that makers settle on, and our own contracts there. */
export interface MakersChain {
  readonly chainId: number;
  /** Our OrderSettlement. */
  readonly settlement: Address;
  /** Contracts that no maker settles by: ours, and others that hold rights over tokens. */
  readonly never: readonly Address[];
}

/**
 * The makers of a file. An entry has to name the contract that its orders are filled by, if it names any.
 * @throws Error with a line for every mistake; secrets are in none of them
 */
export function readMakersFile(path: string, chain: MakersChain): readonly MakerRecord[] {
  return parseMakers(readFileSync(path, "utf8"), chain);
}

/** Parses the text of a makers file, as `readMakersFile` does. */
export function parseMakers(text: string, chain: MakersChain): readonly MakerRecord[] {
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
  return makers.map(({ levelsUrl, pollEveryMs, settlement, protocol, ...maker }) => ({
    ...maker,
    ...settlesOf(maker.name, protocol, settlement, chain),
    levels:
      levelsUrl === undefined
        ? undefined
        : levelsUrl.protocol.startsWith("ws")
          ? { transport: "socket", url: levelsUrl }
          : { transport: "poll", url: levelsUrl, everyMs: pollEveryMs ?? DEFAULT_POLL_MS },
  }));
}

function showsLevels(protocol: ForeignProtocolName | undefined): boolean {
  return protocol === undefined || foreignProtocol(protocol).readLevels !== undefined;
}

/** @throws Error where the contract that settles a maker's orders is not known, or is none that may */
function settlesOf(
  name: string,
  protocol: ForeignProtocolName | undefined,
  named: Address | undefined,
  { chainId, settlement, never }: MakersChain,
): Pick<MakerRecord, "settles"> {
  if (protocol === undefined) {
    if (named === undefined || named === settlement) return {};
    throw new Error(`${name}: settlement is ${named}, but orders are filled at ${settlement}`);
  }
  const contract = named ?? foreignProtocol(protocol).contractOn(chainId);
  if (contract === undefined) {
    throw new Error(`${name}: no contract of ${protocol} is known on chain ${chainId}: name it as settlement`);
  }
  if (never.includes(contract))
    throw new Error(`${name}: settlement ${contract} is no contract of ${protocol}: leave it out`);
  return { settles: { protocol, contract } };
}
