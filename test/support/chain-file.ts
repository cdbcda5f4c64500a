import { writeFileSync } from "node:fs";
import type { ChainRecord } from "../../src/chain/chains/chain-record.ts";

/** Writes a chain's record as CHAIN_FILE takes it: JSON with block numbers and fees as numbers. */
export function writeChainFile(path: string, record: ChainRecord): void {
  const plain = (_: string, value: unknown) => (typeof value === "bigint" ? Number(value) : value);
  writeFileSync(path, JSON.stringify(record, plain));
}
