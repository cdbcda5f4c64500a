/** Writes one state after another into the file that it is given, until it is killed: see kill-state-file.test.ts. */
import { writeStateFile } from "../../../src/chain/state/state-file.ts";
import { pair, tokenAt } from "../../market/pairs.ts";

const POOLS = 2_000;
const [path = ""] = process.argv.slice(2);

for (let round = 1n; ; round++) {
  const pools = Array.from({ length: POOLS }, (_, index) => {
    const id = `pool-${index}`;
    const ref = { id, address: tokenAt(index), tokens: [tokenAt(0), tokenAt(1)], terms: {} };
    return { source: "Test", ref, pool: pair(id, tokenAt(0), tokenAt(1), round, BigInt(index)) };
  });
  const block = { number: round, hash: "0x01", parentHash: "0x00", timestamp: round } as const;
  await writeStateFile(path, { chainId: 1, terms: () => "v" }, { block, pools, sources: ["Test"] });
  process.stdout.write(`${round}\n`);
}
