import { type Header, parseHeaderOrNone } from "../rpc/codec.ts";
import { MalformedAnswerError } from "../rpc/provider-errors.ts";
import { hasYesFrom } from "./first-answers.ts";
import type { Node } from "./node.ts";
import { sameValue } from "./same-value.ts";

/**
 * Whether at least so many of these nodes have a block. Each is asked once; a fault is no.
 * @throws MalformedAnswerError when too few have it, and one has it with another height, parent or time
 */
export async function haveBlock(
  nodes: readonly Node[],
  header: Header,
  needed: number,
  timeoutMs: number,
): Promise<boolean> {
  const limits = { attempts: 1, timeoutMs, lane: "follower" } as const;
  let contradicted = false;
  const asked = nodes.map(async (node) => {
    try {
      const found = parseHeaderOrNone(await node.request("eth_getBlockByHash", [header.hash, false], limits));
      if (found?.hash !== header.hash) return false;
      const { number, parentHash, timestamp } = found;
      const isSame = sameValue({ ...header, number, parentHash, timestamp }, header);
      contradicted ||= !isSame;
      return isSame;
    } catch {
      return false;
    }
  });
  const isEnough = await hasYesFrom(asked, needed);
  if (!isEnough && contradicted) throw new MalformedAnswerError("block: other nodes know it otherwise");
  return isEnough;
}
