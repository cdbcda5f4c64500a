import { createHash, type Hash, randomUUID } from "node:crypto";
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { SourceId } from "../../domain/source.ts";
import {
  decodeState,
  encodeHead,
  encodePool,
  type KeptHead,
  type KeptPool,
  type KeptState,
  type StateIdentity,
} from "../../snapshot/kept-state.ts";

/** Rises whenever what stands in a file changes its meaning, or gains a field that answers depend on. Other files are not read. */
const VERSION = 12;
/**
 * Header of a state file. The entries follow (proto/snapshot/v1/kept.proto), then the SHA-256 of all bytes before it.
 */
const MARK: Readonly<Uint8Array> = Buffer.from(`tributary state ${VERSION}\n`);
const DIGEST_BYTES = 32;
/** A draft that nothing was written to for so long is of a process that has died. */
const DEAD_AFTER_MS = 3_600_000;
/** Bytes encoded in one step, so that no step keeps the thread busy for long. */
const CHUNK_BYTES = 32 * 1024;

/**
 * Writes a state so that it is there whole or not at all, whenever the process or the machine dies: into a file beside it,
 * which takes its place when it is on the disk. Of several processes that write at once the last one's is there. Answers its
 * size in bytes.
 */
export async function writeStateFile(path: string, identity: StateIdentity, state: KeptState): Promise<number> {
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

async function writeDraft(draft: string, identity: StateIdentity, state: KeptState): Promise<number> {
  const file = await open(draft, "wx", 0o600);
  const hash = createHash("sha256");
  try {
    let parts: Uint8Array[] = [MARK];
    let size = MARK.length;
    const flush = async () => {
      const bytes = Buffer.concat(parts, size);
      parts = [];
      size = 0;
      hash.update(bytes);
      await file.appendFile(bytes);
    };
    const add = (bytes: Uint8Array) => {
      parts.push(bytes);
      size += bytes.length;
    };
    add(encodeHead(identity, state));
    for (const pool of state.pools) {
      add(encodePool(pool));
      if (size > CHUNK_BYTES) await flush();
    }
    await flush();
    await file.appendFile(hash.digest());
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
 * Pools of sources whose terms have changed since are left out.
 * @throws Error when the file is damaged, of another version, or of another chain.
 */
export async function readStateFile(path: string, identity: StateIdentity): Promise<KeptState | undefined> {
  let file: FileHandle;
  try {
    file = await open(path, "r");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
  try {
    return await readWhole(file, identity);
  } finally {
    await file.close();
  }
}

/** Reads each byte once. What the entries say, and what is wrong with them, counts only where the digest is right. */
async function readWhole(file: FileHandle, identity: StateIdentity): Promise<KeptState> {
  const end = (await file.stat()).size - DIGEST_BYTES;
  const mark = await bytesAt(file, 0, MARK.length);
  if (!mark.equals(MARK)) throw new Error("the file is of another version");
  if (end <= MARK.length) throw new Error("the file is damaged");
  const hash = createHash("sha256").update(mark);
  const stream = file.createReadStream({ start: MARK.length, end: end - 1, autoClose: false });
  const entries = hashing(stream, hash);
  const [reading] = await Promise.allSettled([readEntries(entries, identity)]);
  // A reader that fails leaves the rest.
  for await (const _ of entries);
  if (!hash.digest().equals(await bytesAt(file, end, DIGEST_BYTES))) throw new Error("the file is damaged");
  if (reading.status === "rejected") throw reading.reason;
  return reading.value;
}

/** Hashes bytes as they are read. A reader that stops ends nothing: the next one goes on where it was. */
function hashing(bytes: AsyncIterable<Uint8Array>, hash: Hash): AsyncIterable<Uint8Array> {
  const source = bytes[Symbol.asyncIterator]();
  async function next(): Promise<IteratorResult<Uint8Array>> {
    const step = await source.next();
    if (step.done !== true) hash.update(step.value);
    return step;
  }
  return { [Symbol.asyncIterator]: () => ({ next }) };
}

async function bytesAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

async function readEntries(bytes: AsyncIterable<Uint8Array>, identity: StateIdentity): Promise<KeptState> {
  const pools: KeptPool[] = [];
  let head: KeptHead | undefined;
  for await (const entry of decodeState(bytes)) {
    if ("pool" in entry) pools.push(entry.pool);
    else {
      head = entry.head;
      if (head.chainId !== identity.chainId) throw new Error("the file is of another chain");
    }
  }
  if (head?.poolCount !== pools.length) throw new Error("the file is not whole");
  return stillTrue(head, pools, identity);
}

/** The part of a kept state whose sources still have the terms that they had then. */
function stillTrue(head: KeptHead, pools: readonly KeptPool[], identity: StateIdentity): KeptState {
  const same = new Set([...head.terms].filter(([id, terms]) => terms === identity.terms(id)).map(([id]) => id));
  const isSame = (id: SourceId) => same.has(id);
  const { block, deepSince, searches = [], refused = [], catalog, tip } = head;
  const left = searches.flatMap((search) => {
    const sources = search.sources.filter(isSame);
    return sources.length === 0 ? [] : [{ ...search, sources }];
  });
  const notServed = refused.filter(({ source }) => isSame(source));
  return {
    block,
    ...(tip && { tip }),
    pools: pools.filter(({ source }) => isSame(source)),
    sources: head.sources.filter(isSame),
    ...(deepSince && { deepSince }),
    ...(left.length > 0 && { searches: left }),
    ...(notServed.length > 0 && { refused: notServed }),
    ...(catalog && { catalog }),
  };
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
