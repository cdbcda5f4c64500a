import type { Hex } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import type { Call, ChainReader } from "../../market/chain-reader.ts";

/** Makes all calls together at block `at`: for each group its own answers, in order. */
export async function callGroups(
  chain: ChainReader,
  groups: readonly (readonly Call[])[],
  at: BlockRef,
): Promise<readonly (readonly (Hex | undefined)[])[]> {
  const answers = await chain.calls(groups.flat(), at);
  let next = 0;
  return groups.map(({ length }) => {
    const own = answers.slice(next, next + length);
    next += length;
    return own;
  });
}
