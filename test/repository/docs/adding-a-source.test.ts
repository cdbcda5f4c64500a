import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { numberToHex, toFunctionSelector } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readChainFile } from "../../../src/chain/chains/chain-file.ts";
import { type Address, toAddress } from "../../../src/domain/address.ts";
import { SHARE_ONE } from "../../../src/domain/route.ts";
import type { ChainReader } from "../../../src/market/chain-reader.ts";
import type { LiquiditySource } from "../../../src/market/liquidity-source.ts";
import { mathOf } from "../../../src/pools/pool.ts";
import { createSettlement } from "../../../src/settlement/settlement.ts";
import { cli } from "../../cli/cli.ts";
import { freePort, type Program, startProgram } from "../../support/process/program.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const page = readFileSync(join(root, "docs", "adding-a-source.md"), "utf8");

/** The code under a mark of the page. */
function block(mark: string): string {
  const text = page.match(new RegExp(`<!-- ${mark} -->\\n\`\`\`\\w+\\n([\\s\\S]*?)\`\`\``))?.[1];
  if (text === undefined) throw new Error(`there is no block marked ${mark}`);
  return text;
}

describe("a fork takes configuration only, as docs/adding-a-source.md has it", () => {
  let folder: string;
  let devnet: Program;
  let service: Program;
  /** The page's addresses with the ports of this run. */
  let here: (text: string) => string;
  let environment: Record<string, string>;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "fork-"));
    const [port, node] = [await freePort(), await freePort()];
    here = (text) => text.replaceAll("8081", String(port)).replaceAll("8545", String(node));
    devnet = startProgram({ PORT: "0", DEVNET_PORT: String(node) });
    await devnet.prints(/^curl /m);
    const record = JSON.parse(block("record")) as { venues: object[] };
    record.venues.push(...(JSON.parse(block("forks")) as object[]));
    writeFileSync(join(folder, "chain.json"), JSON.stringify(record));
    const lines = here(block("env")).trim().split("\n");
    environment = Object.fromEntries(lines.map((line) => line.split("=") as [string, string]));
    for (const name of ["CHAIN_FILE", "DATA_DIR"]) environment[name] = join(folder, environment[name] ?? "");
    writeFileSync(
      join(folder, "fork.env"),
      Object.entries(environment)
        .map(([name, value]) => `${name}=${value}\n`)
        .join(""),
    );
  });
  afterAll(async () => {
    await service?.end("SIGTERM");
    await devnet?.end("SIGTERM");
    if (folder !== undefined) rmSync(folder, { recursive: true });
  });

  /** Runs the lines of a block, each of which has to succeed; what they print. */
  async function run(mark: string): Promise<readonly string[]> {
    const said: string[] = [];
    for (const line of here(block(mark)).trim().split("\n")) {
      const [name, ...words] = line.replace("fork.env", join(folder, "fork.env")).split(" ");
      expect(name).toBe("tributary");
      const { code, stdout, stderr } = await cli(words);
      expect(code, `${line}\n${stdout}\n${stderr}`).toBe(0);
      said.push(stdout);
    }
    return said;
  }

  it("is looked at by config check and the doctor, served, and quoted from by name", async () => {
    const [, health] = await run("run: check");
    for (const source of ["Uniswap_V2", "PancakeSwap_V2", "Some_V3_Fork"])
      expect(health).toMatch(new RegExp(`^ok +${source}: 0x`, "m"));
    expect(block("run: serve")).toBe("tributary serve --config fork.env\n");
    service = startProgram(environment);
    await service.prints(/^curl /m);
    const [sources, quote] = await run("run: ask");
    expect(sources).toMatch(/^PancakeSwap_V2 +/m);
    expect(sources).toMatch(/^Some_V3_Fork +/m);
    expect(quote).toContain("Some_V3_Fork");
    expect(quote).not.toContain("Uniswap_V2");
  });
});

const HASH = `0x${"b".repeat(64)}` as const;
const AT = { hash: HASH, parentHash: HASH, number: 1n, timestamp: 1n };

describe("a venue of its own, built from the page alone", () => {
  const scratch = mkdtempSync(join(root, "test", "repository", "docs", "scratch-"));
  const shown = [...page.matchAll(/<!-- table: venue-\w+ -->\n```ts\n\/\/ (\S+)\n([\s\S]*?)```/g)];
  const folder = "src/venues/erc4626";
  let venues: typeof import("../../../src/venues/index.ts");

  beforeAll(async () => {
    linkAllBut("src", ["venues"]);
    linkAllBut("src/venues", ["erc4626", "index.ts"]);
    mkdirSync(join(scratch, folder));
    for (const [, file = "", text = ""] of shown) writeFileSync(join(scratch, file), text);
    writeFileSync(join(scratch, "src/venues/index.ts"), indexWith(block("index")));
    venues = await import(join(scratch, "src/venues/index.ts"));
  });
  afterAll(() => rmSync(scratch, { recursive: true }));

  /** Links what a folder of the project holds into the scratch copy of it. */
  function linkAllBut(of: string, left: readonly string[]): void {
    mkdirSync(join(scratch, of), { recursive: true });
    for (const name of readdirSync(join(root, of)))
      if (!left.includes(name)) symlinkSync(join(root, of, name), join(scratch, of, name));
  }

  /** The index without the venue, and with the page's lines in its place. */
  function indexWith(lines: string): string {
    const [added = "", entry = ""] = lines.split("\n\n");
    const index = readFileSync(join(root, "src/venues/index.ts"), "utf8");
    const without = index.split("\n").filter((line) => !line.includes("erc4626"));
    expect(without.length).toBe(index.split("\n").length - 2);
    return `${added}\n${without.join("\n").replace("VENUES = [\n", `VENUES = [\n${entry}`)}`;
  }

  const [vault, asset, weth] = ["4", "a", "e"].map((digit) => toAddress(`0x${digit.repeat(40)}`)) as [
    Address,
    Address,
    Address,
  ];
  const chain = {
    ...{ chainId: 1, name: "One vault", native: { symbol: "ETH", name: "Ether" }, wrappedNative: weth },
    ...{ multicall3: `0x${"c".repeat(40)}`, blockTimeMs: 12_000, finalityDepth: 64 },
    venues: [{ protocol: "erc4626", source: "Vaults", vaults: [{ vault, asset, decimalsOffset: 3 }], fromBlock: 0 }],
  };

  it("is read from a chain file, synced, quoted, written into calldata and read back", async () => {
    const file = join(scratch, "chain.json");
    writeFileSync(file, JSON.stringify(chain));
    const record = readChainFile(file, venues.VENUES);
    const [, source] = venues.createSources(record);
    const refs = source!.fixed!();
    const [pool] = await source!.sync(vaultReader({ asset, totalAssets: 5_000n, totalSupply: 4_000_000n }), refs, AT);
    expect(pool).toMatchObject({ curve: "vault", source: "Vaults", tokens: [asset, vault] });
    const quote = mathOf(pool!).quoteExactIn(pool!.state, { sell: 0, buy: 1 }, 100n, 1n);
    // 100 · (4,000,000 + 10³) / (5,000 + 1), rounded down.
    expect(quote).toMatchObject({ amount: 80_003n });

    const ends = { sellToken: asset, buyToken: vault };
    const fill = { poolId: pool!.id, source: "Vaults", ...ends, share: SHARE_ONE, sellAmount: 100n, gas: 1n } as const;
    const sold = { ...fill, buyAmount: 80_003n };
    const route = { kind: "exactIn", ...ends, sellAmount: 100n, buyAmount: 80_003n, fills: [sold] } as const;
    const terms = { ...ends, maxSellAmount: 100n, minBuyAmount: 80_000n, recipient: vault, deadline: 1n };
    const settlement = createSettlement({ wrappedNative: weth, codecs: venues.CODECS, deployed: true });
    const action = () => source!.action(pool!, sold);
    const transaction = settlement.encode(route, terms, action);
    settlement.verify(transaction, route, terms, action);
    const elsewhere = transaction.data.replace(vault.slice(2, 30), asset.slice(2, 30)) as `0x${string}`;
    expect(elsewhere).not.toBe(transaction.data);
    expect(() => settlement.verify({ ...transaction, data: elsewhere }, route, terms, action)).toThrow();
    const other = () => ({ ...action(), vault: asset });
    expect(() => settlement.verify(transaction, route, terms, other)).toThrow("fill 0 pool");
  });

  it("leaves out a vault with other previews, and refuses a record that lacks something", async () => {
    const { source } = venues.VENUES.find(({ protocol }) => protocol === "erc4626")!;
    const made = (source as (record: object) => LiquiditySource)({ ...chain.venues[0], fromBlock: 0n });
    const odd = vaultReader({ asset, totalAssets: 5_000n, totalSupply: 4_000_000n, fee: 1n });
    expect(await made.sync(odd, made.fixed!(), AT)).toEqual([]);
    const file = join(scratch, "chain.json");
    writeFileSync(file, JSON.stringify({ ...chain, venues: [{ ...chain.venues[0], vaults: [{ vault, asset }] }] }));
    expect(() => readChainFile(file, venues.VENUES)).toThrow("venues.0.vaults.0.decimalsOffset");
  });

  it("is all of the folder, as it stands", () => {
    expect(shown.map(([, file = ""]) => file).sort()).toEqual(
      readdirSync(join(root, folder)).map((file) => `${folder}/${file}`),
    );
    for (const [, file = "", text] of shown) expect(text).toBe(readFileSync(join(root, file), "utf8"));
  });
});

/** A chain with one vault of OpenZeppelin's formula and three decimals of offset, less a `fee` on deposits. */
function vaultReader(state: {
  readonly asset: Address;
  readonly totalAssets: bigint;
  readonly totalSupply: bigint;
  readonly fee?: bigint;
}): ChainReader {
  const { asset, totalAssets, totalSupply, fee = 0n } = state;
  const [assets, shares] = [totalAssets + 1n, totalSupply + 1_000n];
  const answers: Readonly<Record<string, (amount: bigint) => bigint>> = {
    "asset()": () => BigInt(asset),
    "totalAssets()": () => totalAssets,
    "totalSupply()": () => totalSupply,
    "maxDeposit(address)": () => 2n ** 256n - 1n,
    "previewDeposit(uint256)": (amount) => (amount * shares) / assets - fee,
    "previewMint(uint256)": (amount) => (amount * assets + shares - 1n) / shares,
    "previewRedeem(uint256)": (amount) => (amount * assets) / shares,
    "previewWithdraw(uint256)": (amount) => (amount * shares + assets - 1n) / assets,
  };
  const bySelector = new Map(Object.entries(answers).map(([name, answer]) => [toFunctionSelector(name), answer]));
  return {
    calls: async (calls) =>
      calls.map(({ data }) => {
        const answer = bySelector.get(data.slice(0, 10) as `0x${string}`);
        return answer && numberToHex(answer(BigInt(`0x${data.slice(10) || "0"}`)), { size: 32 });
      }),
    logs: async () => [],
  };
}

describe("a curve of its own", () => {
  const table = page.match(/<!-- files: vault -->\n([\s\S]*?)<!-- \/files -->/)?.[1] ?? "";
  const listed = [...table.matchAll(/^\| `([^`]+)` /gm)].map(([, file]) => file as string);

  it("is in the files that the page lists, and in no others", () => {
    expect(listed.length).toBeGreaterThan(7);
    for (const file of listed) expect(existsSync(join(root, file)), file).toBe(true);
    const names = /from ".*pools\/vault\/|\bvault: vaultMath|"vault":|\bvault:\s*\{/;
    const files = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" }).filter(
      (file) => file.endsWith(".ts") && !file.startsWith("devnet/"),
    );
    const naming = files.filter((file) => names.test(readFileSync(join(root, "src", file), "utf8")));
    expect(naming.length).toBeGreaterThan(1);
    expect(naming.map((file) => `src/${file}`).filter((file) => !listed.includes(file))).toEqual([]);
  });

  it("has tests that are there", () => {
    for (const [, file = ""] of page.matchAll(/`(test\/[^`]+\.ts)`/g))
      expect(existsSync(join(root, file)), file).toBe(true);
  });
});
