import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { encodeFunctionData, erc20Abi, numberToHex } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { devnetLayout } from "../../../src/devnet/markets/devnet-layout.ts";
import { devnetAccounts } from "../../../src/devnet/node/accounts.ts";
import { createJsonRpc } from "../../../src/devnet/node/json-rpc.ts";
import { type Hex, NATIVE_TOKEN } from "../../../src/domain/address.ts";
import { cli } from "../../cli/cli.ts";
import { freePort, type Program, startProgram } from "../../support/process/program.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const page = readFileSync(join(root, "docs", "adding-a-fork.md"), "utf8");

/** The code under a mark of the page. */
function block(mark: string): string {
  const text = page.match(new RegExp(`<!-- ${mark} -->\\n\`\`\`\\w+\\n([\\s\\S]*?)\`\`\``))?.[1];
  if (text === undefined) throw new Error(`there is no block marked ${mark}`);
  return text;
}

describe("a fork takes configuration only, as docs/adding-a-fork.md has it", () => {
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
    const [sources, quote, audit] = await run("run: ask");
    expect(sources).toMatch(/^PancakeSwap_V2 +/m);
    expect(sources).toMatch(/^Some_V3_Fork +/m);
    expect(quote).toContain("Some_V3_Fork");
    expect(quote).not.toContain("Uniswap_V2");
    expect(audit).toContain("no miss");
  });

  it("pays to the wei what was quoted over the fork's pools", async () => {
    const { whale } = devnetAccounts();
    const token = devnetLayout(whale).token("USDH").address;
    const words = `quote 1 ${NATIVE_TOKEN} ${token} --include PancakeSwap_V2 --taker ${whale} --json`.split(" ");
    const said = await cli([...words, "--url", here("http://127.0.0.1:8081"), "--key", "my-devnet-key"]);
    expect(said.code, said.stderr).toBe(0);
    const quote = JSON.parse(said.stdout) as Record<"to" | "data" | "value" | "buyAmount", string> & {
      readonly orders: readonly { readonly source: string }[];
    };
    expect(new Set(quote.orders.map(({ source }) => source))).toEqual(new Set(["PancakeSwap_V2", "Wrapped_Native"]));
    const node = createJsonRpc(here("http://127.0.0.1:8545"));
    const held = async () =>
      BigInt(
        await node.call<Hex>("eth_call", [
          { to: token, data: encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [whale] }) },
          "latest",
        ]),
      );
    const before = await held();
    const { to, data, value, buyAmount } = quote;
    const hash = await node.call<Hex>("eth_sendTransaction", [
      { from: whale, to, data, value: numberToHex(BigInt(value)), gas: numberToHex(2_000_000n) },
    ]);
    await expect.poll(() => node.call("eth_getTransactionReceipt", [hash])).toMatchObject({ status: "0x1" });
    expect((await held()) - before).toBe(BigInt(buyAmount));
  });
});
