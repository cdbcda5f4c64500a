import type { Header } from "../rpc/codec.ts";
import type { Blocks } from "./blocks.ts";

/** A block with its parent. */
export interface Link {
  readonly child: Header;
  readonly parent: Header;
}

/** Each block from `first` on downwards with its parent, `most` of them, as far as the node gives blocks that their hashes link. */
export async function linkedBelow(
  blocks: Pick<Blocks, "byNumber">,
  first: Header,
  most: number,
): Promise<readonly Link[]> {
  const heights = Array.from(
    { length: Math.min(most, Number(first.number)) },
    (_, index) => first.number - 1n - BigInt(index),
  );
  const below = await Promise.all(heights.map((height) => blocks.byNumber(height).catch(() => undefined)));
  const links: Link[] = [];
  let child = first;
  for (const parent of below) {
    if (parent === undefined || parent.hash !== child.parentHash) break;
    links.push({ child, parent });
    child = parent;
  }
  return links;
}
