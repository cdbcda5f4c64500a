import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readTokenListFile } from "../../src/chain/chains/token-list-file.ts";

it("of a list for many chains only the own one's tokens are known and shown", () => {
  const folder = mkdtempSync(join(tmpdir(), "token-list-"));
  try {
    const token = (chainId: number, decimals: number) => ({
      ...{ chainId, address: `0x${"Ab".repeat(20)}`, symbol: "USD", name: "Dollar", decimals, logoURI: "x" },
    });
    const file = join(folder, "list.json");
    writeFileSync(file, JSON.stringify({ name: "All", version: { major: 1 }, tokens: [token(56, 18), token(1, 6)] }));
    const { list, tokens } = readTokenListFile(file, 1);
    expect(list).toEqual({ name: "All", version: { major: 1 }, tokens: [token(1, 6)] });
    expect(tokens).toEqual([{ address: `0x${"ab".repeat(20)}`, symbol: "USD", name: "Dollar", decimals: 6 }]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it("shows symbols and names without what cannot be seen, as those that contracts tell", () => {
  const folder = mkdtempSync(join(tmpdir(), "token-list-"));
  try {
    const [address, decimals, chainId] = [`0x${"ab".repeat(20)}`, 6, 1];
    const token = {
      chainId,
      address,
      symbol: " US\u202eD\u0000\u001b[2J ",
      name: `\u2028Doll\u200bar${"s".repeat(80)}`,
      decimals,
    };
    const file = join(folder, "list.json");
    writeFileSync(file, JSON.stringify({ name: "All", tokens: [token] }));
    const clean = { address, symbol: "USD[2J", name: `Dollar${"s".repeat(58)}`, decimals };
    expect(readTokenListFile(file, 1)).toEqual({
      list: { name: "All", tokens: [{ ...clean, chainId }] },
      tokens: [clean],
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
