import { createReadStream, createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { isAddressText, toAddress } from "../domain/address.ts";
import type { KnownPool } from "../market/pool-catalog.ts";

/**
 * File of pools that one operator has discovered, for another: gzip over a line of JSON for the file and one for each
 * pool. Nobody vouches for it. Whoever reads it has every pool confirmed by the chain.
 */

const FORM = "tributary bootstrap 1";
const MAX_BYTES = 2 ** 31;
const MAX_LINE_CHARS = 2_000;
const MAX_POOLS = 5_000_000;
const MAX_TOKENS = 8;
const MAX_TERMS = 8;
const MAX_TEXT_CHARS = 100;

/** A pool of such a file. */
export interface BootstrapPool extends KnownPool {
  /** Whether it was followed where it comes from. */
  readonly isAwake: boolean;
}

/** A file that is none of these, or larger than any honest one. */
export class BootstrapFileError extends Error {}

/** Writes a file; how many pools it has. @throws what the disk says */
export async function writeBootstrapFile(
  path: string,
  { chainId, block }: { readonly chainId: number; readonly block: bigint },
  pools: Iterable<BootstrapPool>,
): Promise<number> {
  let count = 0;
  function* lines(): Generator<string> {
    yield `${JSON.stringify({ form: FORM, chainId, block: `${block}` })}\n`;
    for (const { source, ref, isAwake } of pools) {
      count += 1;
      const { id, address, tokens, terms } = ref;
      yield `${JSON.stringify([source, id, address, tokens, terms, isAwake ? 1 : 0])}\n`;
    }
  }
  await pipeline(lines, createGzip(), createWriteStream(path, { flags: "wx", mode: 0o600 }));
  return count;
}

/**
 * The pools of a file, one after the other; undefined for a line that is none.
 * @throws BootstrapFileError for a file of another chain or form, or beyond all bounds
 */
export async function* readBootstrapFile(path: string, chainId: number): AsyncGenerator<BootstrapPool | undefined> {
  let count = 0;
  let isFirst = true;
  for await (const line of linesOf(path)) {
    if (isFirst) checkHead(line, chainId);
    else {
      if (++count > MAX_POOLS) throw new BootstrapFileError(`the file has more than ${MAX_POOLS} pools`);
      yield poolOf(line);
    }
    isFirst = false;
  }
  if (isFirst) throw new BootstrapFileError("the file is empty");
}

/** Lines of a file as they are unpacked, each with no more than what a pool can take. */
async function* linesOf(path: string): AsyncGenerator<string> {
  let rest = "";
  let bytes = 0;
  const gunzip = createGunzip();
  const read = pipeline(createReadStream(path), gunzip);
  // The consumer of the lines gets the error of a broken file.
  read.catch(() => {});
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > MAX_BYTES) throw new BootstrapFileError(`the file unpacks to more than ${MAX_BYTES} bytes`);
      const lines = (rest + chunk.toString("latin1")).split("\n");
      rest = lines.pop() ?? "";
      if (rest.length > MAX_LINE_CHARS) throw new BootstrapFileError("a line of the file has no end");
      yield* lines;
    }
    await read;
  } catch (error) {
    if (error instanceof BootstrapFileError) throw error;
    throw new BootstrapFileError(`${path} cannot be unpacked: it is no whole file of a bootstrap export`, {
      cause: error,
    });
  }
  if (rest !== "") throw new BootstrapFileError("the file ends within a line");
}

function checkHead(line: string, chainId: number): void {
  const head = parsed(line);
  const { form, chainId: of } = (typeof head === "object" && head !== null ? head : {}) as Record<string, unknown>;
  if (form !== FORM) throw new BootstrapFileError("the file is none of a bootstrap export, or of another version");
  if (of !== chainId) throw new BootstrapFileError(`the file is of chain ${String(of)}, not of ${chainId}`);
}

function poolOf(line: string): BootstrapPool | undefined {
  if (line.length > MAX_LINE_CHARS) return undefined;
  const entry = parsed(line);
  if (!Array.isArray(entry) || entry.length !== 6) return undefined;
  const [source, id, address, tokens, terms, awake] = entry as readonly unknown[];
  if (!isText(source) || !isText(id) || !isText(address) || !isAddressText(address)) return undefined;
  if (!Array.isArray(tokens) || tokens.length < 2 || tokens.length > MAX_TOKENS) return undefined;
  if (!tokens.every((token): token is string => isText(token) && isAddressText(token))) return undefined;
  const known = termsOf(terms);
  if (known === undefined || new Set(tokens).size < tokens.length) return undefined;
  const ref = { id, address: toAddress(address), tokens: tokens.map(toAddress), terms: known };
  return { source, ref, isAwake: awake === 1 };
}

function termsOf(terms: unknown): Readonly<Record<string, string>> | undefined {
  if (typeof terms !== "object" || terms === null || Array.isArray(terms)) return undefined;
  const entries = Object.entries(terms);
  const isSound = entries.length <= MAX_TERMS && entries.every(([name, value]) => isText(name) && isText(value));
  return isSound ? (terms as Readonly<Record<string, string>>) : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.length <= MAX_TEXT_CHARS;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
