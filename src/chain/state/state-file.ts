import { createHash, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import type { BlockRef } from "../../domain/block.ts";
import type { SourceId } from "../../domain/source.ts";
import type { DeepSince } from "../../market/hop-tokens.ts";
import type { PoolRef } from "../../market/liquidity-source.ts";
import type { PoolStore } from "../../market/pool-store.ts";

type Pool = NonNullable<ReturnType<PoolStore["get"]>>;

/** A pool as it is kept: how it was announced, and its state where that is known for the block. */
export interface SavedPool {
  readonly source: SourceId;
  readonly ref: PoolRef;
  readonly pool: Pool | undefined;
  /** It is not followed until somebody asks for one of its tokens. */
  readonly asleep?: true;
}

/** All pools that were announced up to a block, with the states that they had there. */
export interface SavedState {
  readonly block: BlockRef;
  readonly pools: readonly SavedPool[];
  /** Whose announcements these are: a source that is not among them had no contract where the record says. */
  readonly sources: readonly SourceId[];
  /** Since when tokens that are not listed have been deep. */
  readonly deepSince?: DeepSince | undefined;
  /** Blocks up to `block` whose announcements are not among them yet, first and last. */
  readonly search?: { readonly next: bigint; readonly to: bigint } | undefined;
}

/** What the file is of: another chain's or another set of venues' is no use. */
export interface StateIdentity {
  readonly chainId: number;
  /** Tells sets of venues apart. */
  readonly venues: string;
}

/** Rises whenever what stands in a file changes its meaning. A file of another version is not read. */
const VERSION = 7;
/** A draft that nothing was written to for so long is of a process that has died. */
const DEAD_AFTER_MS = 3_600_000;
/** What is made up at a time, so that no step keeps the thread busy for long. */
const CHUNK_CHARS = 32 * 1024;

/**
 * Writes a state so that it is there whole or not at all, whenever the process or the machine dies: into a file beside it,
 * which takes its place when it is on the disk. Of several processes that write at once the last one's is there. Answers its
 * size in bytes.
 */
export async function writeStateFile(path: string, identity: StateIdentity, state: SavedState): Promise<number> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await removeDeadDrafts(path);
  const draft = `${path}.${randomUUID()}.draft`;
  try {
    const bytes = await writeDraft(draft, identity, state);
    await rename(draft, path);
    await syncFolder(dirname(path));
    return bytes;
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

async function writeDraft(draft: string, identity: StateIdentity, state: SavedState): Promise<number> {
  const file = await open(draft, "wx", 0o600);
  const hash = createHash("sha256");
  try {
    let text = "";
    const flush = async () => {
      hash.update(text);
      await file.appendFile(text);
      text = "";
    };
    text += line({
      version: VERSION,
      ...identity,
      block: state.block,
      search: state.search,
      deepSince: state.deepSince,
      sources: state.sources,
      pools: state.pools.length,
    });
    for (const saved of state.pools) {
      text += line([saved.source, saved.ref, saved.pool, ...(saved.asleep ? [true] : [])]);
      if (text.length > CHUNK_CHARS) await flush();
    }
    await flush();
    await file.appendFile(line({ sha256: hash.digest("hex") }));
    await file.sync();
    return (await file.stat()).size;
  } finally {
    await file.close();
  }
}

/** Takes away what processes that died while they wrote have left beside a state. */
async function removeDeadDrafts(path: string): Promise<void> {
  const folder = dirname(path);
  for (const name of await readdir(folder)) {
    if (!name.startsWith(`${basename(path)}.`) || !name.endsWith(".draft")) continue;
    const draft = join(folder, name);
    // Another process may have finished it meanwhile.
    const found = await stat(draft).catch(() => undefined);
    if (found !== undefined && Date.now() - found.mtimeMs > DEAD_AFTER_MS) await rm(draft, { force: true });
  }
}

/**
 * Reads a state. Undefined when there is no file.
 * @throws Error when the file is damaged, of another version, or of another chain or set of venues.
 */
export async function readStateFile(path: string, identity: StateIdentity): Promise<SavedState | undefined> {
  let file: FileHandle;
  try {
    file = await open(path, "r");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
  await file.close();
  const hash = createHash("sha256");
  const pools: SavedPool[] = [];
  let head: ReturnType<typeof readHead> | undefined;
  let digest: unknown;
  for await (const text of createInterface({
    input: createReadStream(path, "utf8"),
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
    if (digest !== undefined) throw new Error("the file goes on after its end");
    const value: unknown = JSON.parse(text, decode);
    if (isRecord(value) && "sha256" in value) {
      digest = value.sha256;
      continue;
    }
    hash.update(`${text}\n`);
    if (head === undefined) head = readHead(value, identity);
    else pools.push(readPool(value));
  }
  if (head === undefined || digest !== hash.digest("hex")) throw new Error("the file is damaged");
  if (head.pools !== pools.length) throw new Error("the file is not whole");
  const { block, sources, search, deepSince } = head;
  return { block, pools, sources, ...(deepSince && { deepSince }), ...(search && { search }) };
}

function readHead(value: unknown, identity: StateIdentity): Omit<SavedState, "pools"> & { readonly pools: number } {
  if (!isRecord(value) || value.version !== VERSION) throw new Error("the file is of another version");
  if (value.chainId !== identity.chainId) throw new Error("the file is of another chain");
  if (value.venues !== identity.venues) throw new Error("the chain's venues have changed");
  return {
    block: value.block as BlockRef,
    pools: value.pools as number,
    sources: value.sources as readonly SourceId[],
    search: value.search as SavedState["search"],
    deepSince: value.deepSince as SavedState["deepSince"],
  };
}

/** The checksum vouches for the form: what was written is what is read. */
function readPool(value: unknown): SavedPool {
  const [source, ref, pool, asleep] = value as [SourceId, PoolRef, Pool | undefined, true?];
  return { source, ref, pool, ...(asleep && { asleep }) };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function line(value: unknown): string {
  return `${JSON.stringify(value, encode)}\n`;
}

/** JSON has neither bigints nor undefined: they are written as strings after a #, and strings that begin with one get another. */
function encode(_: string, value: unknown): unknown {
  if (typeof value === "bigint") return `#${value}`;
  if (value === undefined) return "#u";
  return typeof value === "string" && value.startsWith("#") ? `#${value}` : value;
}

/** Turns the strings of one object or array back into what they were; a reviver by itself cannot make an undefined. */
function decode(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  for (const [key, member] of Object.entries(value)) {
    if (typeof member === "string" && member.startsWith("#")) Reflect.set(value, key, decodeText(member));
  }
  return value;
}

function decodeText(text: string): bigint | string | undefined {
  if (text.startsWith("##")) return text.slice(1);
  return text === "#u" ? undefined : BigInt(text.slice(1));
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
