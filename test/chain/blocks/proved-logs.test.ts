import { expect, it } from "vitest";
import { parseReceipt, receiptsRoot } from "../../../src/chain/blocks/receipts.ts";
import type { Provider } from "../../../src/chain/rpc/provider.ts";
import type { Log } from "../../../src/market/chain-reader.ts";
import { createTimedChain, follow, type TimedChain } from "./following.ts";

const BLOCK_MS = 2_000;
const BLOCKS = 60;

interface Wire {
  readonly hash: `0x${string}`;
  readonly logsBloom: `0x${string}`;
}

/** A fake chain's node whose blocks have one receipt with all logs, and which leaves out the last log where no bloom shows it. */
function forgetful(fake: TimedChain): { readonly provider: Provider; readonly left: () => number } {
  let left = 0;
  const asked = new Map<string, number>();

  const receiptsOf = async (wire: Wire) => {
    const logs = (await fake.provider.request("eth_getLogs", [{ blockHash: wire.hash }])) as readonly Log[];
    return [{ type: "0x2", status: "0x1", cumulativeGasUsed: "0x5208", logsBloom: wire.logsBloom, logs }];
  };
  /** The first answer about a block is short when its last log is of a pair that has logged before. */
  const shortened = (logs: readonly Log[], hash: string) => {
    const last = logs.at(-1);
    const times = asked.get(hash) ?? 0;
    asked.set(hash, times + 1);
    const shown = logs.slice(0, -1);
    if (times > 0 || last === undefined || !shown.some(({ address }) => address === last.address)) return logs;
    left += 1;
    return shown;
  };
  return {
    left: () => left,
    provider: {
      ...fake.provider,
      async request(method, params, limits) {
        const [first] = params as [{ readonly blockHash?: string } & string];
        if (method === "eth_getBlockReceipts") {
          const wire = (await fake.provider.request("eth_getBlockByHash", [first, false], limits)) as Wire;
          return (await receiptsOf(wire)).map((receipt) => ({ ...receipt, logs: shortened(receipt.logs, first) }));
        }
        const answer = await fake.provider.request(method, params, limits);
        if (method === "eth_getLogs" && first.blockHash !== undefined) {
          return shortened(answer as readonly Log[], first.blockHash);
        }
        if (!method.startsWith("eth_getBlockBy") || answer === null) return answer;
        const receipts = (await receiptsOf(answer as Wire)).map(parseReceipt);
        return { ...(answer as Wire), receiptsRoot: await receiptsRoot(receipts, async () => {}) };
      },
    },
  };
}

it.each([false, true])("logs that are left out where no bloom shows it; proved: %s", async (proveLogs) => {
  const fake = createTimedChain({ seed: 61, pairs: 3 });
  for (let block = 0; block < 30; block++) fake.mine();
  const node = forgetful(fake);
  const following = await follow(fake, { providers: [node.provider], proveLogs, auditedPerBlock: 0 });
  await following.caughtUp();
  for (let block = 0; block < BLOCKS; block++) {
    fake.mine({ trades: 4 });
    await fake.clock.advance(BLOCK_MS);
    await following.caughtUp();
  }
  await following.stop();
  expect(node.left()).toBeGreaterThan(BLOCKS / 4);
  expect(following.wrong.length > 0).toBe(!proveLogs);
});
