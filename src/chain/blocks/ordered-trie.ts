import { keccak256, toRlp } from "viem";
import type { Hex } from "../../domain/address.ts";
import type { Pause } from "../rpc/clock.ts";

/** Bytes, or a list of them: what RLP encodes. */
type Item = Uint8Array | readonly Item[];

/** A value and its key's path through the trie: one nibble a step. */
interface Entry {
  readonly path: readonly number[];
  readonly value: Uint8Array;
}

const NOTHING = new Uint8Array();
/** Nodes whose encoding is shorter stand in their parent as they are, others by their hash. */
const HASH_BYTES = 32;

/**
 * The root of the Merkle-Patricia trie that holds each value under the RLP of its position (Ethereum yellow paper, appendix
 * D and section 4.4): the form of the transactions and receipts roots of a header. Hashing takes long: `pause` is called in
 * between.
 */
export async function orderedTrieRoot(values: readonly Uint8Array[], pause: Pause): Promise<Hex> {
  if (values.length === 0) return keccak256(toRlp(NOTHING));
  const entries = values.map((value, position): Entry => ({ path: nibblesOf(positionKey(position)), value }));
  return keccak256(encode(await nodeOf(entries, 0, pause)));
}

/** The node below which all of `entries` are; they share the first `depth` nibbles of their paths. */
async function nodeOf(entries: readonly Entry[], depth: number, pause: Pause): Promise<Item> {
  await pause();
  const [first] = entries as readonly [Entry, ...Entry[]];
  if (entries.length === 1) return [compact(first.path.slice(depth), true), first.value];
  let fork = depth;
  while (entries.every(({ path }) => path[fork] === first.path[fork])) fork += 1;
  if (fork > depth) {
    return [compact(first.path.slice(depth, fork), false), reference(await nodeOf(entries, fork, pause))];
  }
  const children: Item[] = [];
  for (let nibble = 0; nibble < 16; nibble++) {
    const below = entries.filter(({ path }) => path[depth] === nibble);
    children.push(below.length === 0 ? NOTHING : reference(await nodeOf(below, depth + 1, pause)));
  }
  // No key is the beginning of another, so that a branch has no value of its own.
  return [...children, NOTHING];
}

/** Reference to a node in its parent: the node itself if its RLP is shorter than 32 bytes, else its hash. */
function reference(node: Item): Item {
  const encoded = encode(node);
  return encoded.length < HASH_BYTES ? node : keccak256(encoded, "bytes");
}

function encode(item: Item): Uint8Array {
  return toRlp(item as Parameters<typeof toRlp>[0], "bytes") as Uint8Array;
}

/** Hex-prefix encoding: a path with whether it ends there, and whether its length is odd. */
function compact(path: readonly number[], ends: boolean): Uint8Array {
  const flag = ends ? 2 : 0;
  const nibbles = path.length % 2 === 0 ? [flag, 0, ...path] : [flag + 1, ...path];
  return Uint8Array.from({ length: nibbles.length / 2 }, (_, at) => nibbles[2 * at]! * 16 + nibbles[2 * at + 1]!);
}

function positionKey(position: number): Uint8Array {
  const digits = position === 0 ? "" : position.toString(16);
  return encode(Uint8Array.from(Buffer.from(digits.padStart(digits.length + (digits.length % 2), "0"), "hex")));
}

function nibblesOf(bytes: Uint8Array): readonly number[] {
  return [...bytes].flatMap((byte) => [byte >> 4, byte & 15]);
}
