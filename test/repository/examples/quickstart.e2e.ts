import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SwapService } from "#gen/swap/v1/swap_pb.ts";
import { commands } from "../../../src/cli/commands/index.ts";
import { PACKAGES } from "../../../tools/packages/names.ts";
import { freePort, type Program, startProgram } from "../../support/process/program.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const page = readFileSync(join(root, "docs", "quickstart.md"), "utf8");
const shell = promisify(execFile);

describe("docs/quickstart.md", () => {
  let program: Program;
  let port: number;
  let folder: string;

  beforeAll(async () => {
    mkdirSync(join(root, ".cache"), { recursive: true });
    folder = mkdtempSync(join(root, ".cache", "quickstart-"));
    port = await freePort();
    const key = page.match(/TRIBUTARY_API_KEY=(\S+) npm start/)?.[1] ?? "";
    const settings = { TRIBUTARY_API_KEY: key, PRICE_OVERRIDES: "1", DATA_DIR: folder };
    program = startProgram({ PORT: String(port), DEVNET_PORT: "0", ...settings });
    await program.prints(/^curl /m);
  });
  afterAll(async () => {
    await program?.end("SIGTERM");
    rmSync(folder, { recursive: true, force: true });
  });

  /** The code under a mark, for the port of this run. */
  function block(mark: string, from = page): string {
    const match = from.match(new RegExp(`<!-- run: ${mark} -->\\n\`\`\`\\w+\\n([\\s\\S]*?)\`\`\``));
    if (match?.[1] === undefined) throw new Error(`there is no block marked ${mark}`);
    const text = match[1].replaceAll("127.0.0.1:8080", `127.0.0.1:${port}`);
    // Runs the program without npm around it.
    return text.replaceAll("npx tributary", "node src/cli/main.ts");
  }
  async function runScript(mark: string, from = page): Promise<string> {
    const file = join(folder, `${mark}.ts`);
    const client = join(root, "src", "client", "index.ts");
    const text = block(mark, from).replaceAll(`${PACKAGES.client}/rest"`, `${join(client, "..", "rest.ts")}"`);
    writeFileSync(file, text.replaceAll(JSON.stringify(PACKAGES.client), JSON.stringify(client)));
    return (await shell(process.execPath, [file], { cwd: root })).stdout;
  }
  async function runShell(mark: string, from = page): Promise<string> {
    const env = { PATH: process.env.PATH, TRIBUTARY_URL: `http://127.0.0.1:${port}`, DATA_DIR: folder };
    return (await shell("sh", ["-ec", block(mark, from)], { cwd: root, env })).stdout;
  }

  it("has command lines that answer", async () => {
    const says = await runShell("cli");
    expect(says).toMatch(/^sell +1\.5 ETH$/m);
    expect(says).toContain('"buyAmount": "100000000"');
    expect(says).toMatch(/^\d+ {2}1 ETH → /m);
  });

  it("has a line for Connect that answers", async () => {
    expect(JSON.parse(await runShell("connect"))).toMatchObject({ sellAmount: "1000000000000000000" });
  });

  it("has a fee that is in the answer", async () => {
    const answer = JSON.parse(await runShell("fee"));
    expect(answer.fees.integratorFee.rate).toBe("0.001");
    expect(BigInt(answer.grossBuyAmount) - BigInt(answer.buyAmount)).toBe(BigInt(answer.fees.integratorFee.amount));
  });

  it("has a key that shares surplus, and says so", async () => {
    const { buyAmount, buyTokenAddress: token, fees } = JSON.parse(await runShell("surplus"));
    const recipient = "0x00000000000000000000000000000000000f0e0e";
    expect(fees.surplus).toEqual({ share: "0.1", quotedAmount: buyAmount, token, recipient });
  });

  it("has two fees of the sold token that are in the answer", async () => {
    const answer = JSON.parse(await runShell("fees"));
    const amounts = answer.fees.integratorFees.map(({ amount }: { readonly amount: string }) => BigInt(amount));
    expect(amounts).toEqual([10n ** 15n, 5n * 10n ** 14n]);
    expect(BigInt(answer.sellAmount) - BigInt(answer.grossSellAmount)).toBe(amounts[0] + amounts[1]);
  });

  it("has an attribution behind the calldata", async () => {
    const code = Buffer.from("my-wallet").toString("hex");
    expect((await runScript("attribution")).trim()).toMatch(new RegExp(`^0x[0-9a-f]{400,}${code}0900(8021){8}$`));
  });

  it("has terms that the answer is reckoned with", async () => {
    const answer = JSON.parse(await runShell("terms"));
    expect(answer).toMatchObject({ gasPrice: "2000000000", slippagePercentage: "0.005" });
    expect(Number(answer.estimatedPriceImpact)).toBeLessThan(2);
    expect(BigInt(answer.minBuyAmount)).toBe((BigInt(answer.buyAmount) * 995n) / 1_000n);
  });

  it("has a recipient that is in the calldata", async () => {
    expect(JSON.parse(await runShell("recipient")).data).toContain("f0e0e");
  });

  it("has a message that is signed, and calls of a batch", async () => {
    const says = await runScript("permit");
    expect(says).toContain("once send 0x8a791620dd6260079bf849dc5567adc3f2fdc318 0x095ea7b3");
    expect(says).toMatch(/then send \{\s+to: '0x/);
    const { calls, to, allowanceTarget, issues } = JSON.parse(await runShell("calls"));
    expect(calls.map((call: { readonly to: string }) => call.to)).toEqual([
      "0x8a791620dd6260079bf849dc5567adc3f2fdc318",
      to,
    ]);
    expect(issues.allowance.spender).toBe(allowanceTarget);
  });

  it("has a permit of the token, and a swap whose approval is the taker's matter", async () => {
    const signed = JSON.parse(await runShell("eip2612"));
    expect([signed.permit.type, signed.permit.eip712.primaryType]).toEqual(["EIP2612", "Permit"]);
    const { calls, data, issues, permit } = JSON.parse(await runShell("none"));
    expect(calls.map((call: { readonly data: string }) => call.data)).toEqual([data]);
    expect([issues.allowance, permit]).toEqual([null, null]);
  });

  it("has a whole balance that another call sells", async () => {
    const [plain, entire] = await Promise.all(
      ["calls", "entire"].map(async (mark) => JSON.parse(await runShell(mark))),
    );
    expect(entire.data.slice(0, 10)).not.toBe(plain.data.slice(0, 10));
    expect(entire.minBuyAmount).toBe(plain.minBuyAmount);
  });

  it("has several prices of one block", async () => {
    const { entries } = JSON.parse(await runShell("ladder"));
    const amounts = entries.map(({ price }: { readonly price: { readonly buyAmount: string } }) =>
      BigInt(price.buyAmount),
    );
    expect(amounts[0]).toBeLessThan(amounts[1]);
    expect(amounts[1]).toBeLessThan(amounts[2]);
    const bought = JSON.parse(await runShell("ladder to buy")).entries;
    expect(bought.map(({ price }: { readonly price: { readonly buyAmount: string } }) => price.buyAmount)).toEqual([
      ...["1000000000", "10000000000"],
    ]);
    const says = await runShell("prices");
    const { results } = JSON.parse(says.slice(0, says.indexOf("\n") < 0 ? undefined : says.lastIndexOf("}") + 1));
    expect(results[0].price.buyAmount).toBe(String(amounts[0]));
    expect(results[1].refusal.validationErrors[0].field).toBe("buyAmount");
    expect(says).toMatch(/^ *100 .*\d$/m);
  });

  it("has a price of a block by its number", async () => {
    expect(JSON.parse(await runShell("past"))).toMatchObject({ sellAmount: "1000000000000000000" });
  });

  it("has a price on top of a log, which leaves the pair with other reserves", async () => {
    const says = await runShell("overrides");
    const { buyAmount, overrides, route } = JSON.parse(says.slice(0, says.lastIndexOf("}") + 1));
    const [pool] = overrides.pools;
    expect(overrides).toEqual({ logs: 1, pools: [block("overrides").match(/"address": "(\w+)"/)?.[1]] });
    expect(route.fills.map((fill: { readonly pool: string }) => fill.pool)).toContain(pool);
    // 0.3 % of 1 ETH are the pair's, of 1,900 and 3,780,000.
    const paid = 997n * 10n ** 15n;
    expect(buyAmount).toBe(String((paid * 3_780_000n * 10n ** 6n) / (1_900n * 10n ** 18n + paid)));
    expect(says).toMatch(/on top of +1 logs to come, which change 1 pools/);
  });

  it("leads to pages for those who come from elsewhere, each with a request that works", async () => {
    const read = (name: string) => readFileSync(join(root, "docs", `${name}.md`), "utf8");
    const quoteOf = async (name: string) => JSON.parse(await runShell("after", read(name)));
    const zeroX = await quoteOf("from-0x-v2");
    expect(zeroX.fees.integratorFee).toMatchObject({ rate: "0.001" });
    expect(zeroX.slippagePercentage).toBe("0.005");
    expect((await quoteOf("from-1inch")).data).toContain("f0e0e");
    const odos = await quoteOf("from-odos");
    const [, excluded = ""] = /excludedPools=(\w+)/.exec(read("from-odos")) ?? [];
    expect(odos.slippagePercentage).toBe("0.003");
    expect(JSON.stringify(odos.route)).not.toContain(excluded);
    // 1 ETH is sold: the price of 0x is the amount that is bought.
    const [price = "", bought] = (await runScript("front", read("from-0x-v1"))).trim().split(" ");
    expect(price.replace(".", "")).toBe(bought);
  });

  it("has limits that the route keeps to", async () => {
    const token = block("limits").match(/excludedTokens=(\w+)/)?.[1] ?? "";
    const { route } = JSON.parse(await runShell("limits"));
    expect(route.fills.length).toBeLessThanOrEqual(4);
    expect(JSON.stringify(route)).not.toContain(token);
    const url =
      block("limits")
        .match(/http[^']+/)?.[0]
        .replace(/&excluded.*/, "") ?? "";
    const free = await fetch(url, { headers: { "api-key": "my-devnet-key" } });
    expect(await free.text()).toContain(token);
  });

  it("has a source and a pool that are left out, and one token in between", async () => {
    const [source, pool, connector] = ["excludedSources", "excludedPools", "connectorTokens"].map(
      (name) => new RegExp(`${name}=(\\w+)`).exec(block("left out"))?.[1] ?? "",
    );
    const { route, sources } = JSON.parse(await runShell("left out"));
    expect(route.fills.map((fill: { readonly source: string }) => fill.source)).not.toContain(source);
    expect(route.fills.map((fill: { readonly pool: string }) => fill.pool)).not.toContain(pool);
    const between = sources.flatMap(
      (each: { readonly intermediateTokens: readonly string[] }) => each.intermediateTokens,
    );
    expect(between.filter((token: string) => token !== connector)).toEqual([]);
  });
});

describe("pages", () => {
  const pages = readdirSync(join(root, "docs")).filter((file) => file.endsWith(".md"));

  it.each(pages)("docs/%s links to files that exist", (file) => {
    const text = readFileSync(join(root, "docs", file), "utf8");
    for (const [, target] of text.matchAll(/\]\((?!https?:)([^)#]+)/g)) {
      expect(() => statSync(join(root, "docs", target as string)), `${file}: ${target}`).not.toThrow();
    }
  });

  it("have an example of each parameter that a test runs", () => {
    const texts = ["README.md", ...pages.map((file) => join("docs", file))].map((file) =>
      readFileSync(join(root, file), "utf8"),
    );
    const examples = texts.flatMap((text) =>
      [...text.matchAll(/<!-- (?:run|example): [\w -]+ -->\n```\w+\n([\s\S]*?)```/g)].map(([, code = ""]) => code),
    );
    const parameters = Object.values(SwapService.method).flatMap(({ input }) => input.fields);
    const named = [...parameters.map(({ jsonName }) => jsonName), "permit2", "eip2612", "none", "auto"];
    const lacking = named.filter((name) => !examples.some((code) => new RegExp(`\\b${name}\\b`).test(code)));
    expect(lacking).toEqual([]);
  });

  it("name only commands that there are", () => {
    const names = commands.map(({ name }) => name);
    const texts = ["README.md", ...pages.map((file) => join("docs", file))].map((file) =>
      readFileSync(join(root, file), "utf8"),
    );
    const used = texts.flatMap((text) => [
      ...text.matchAll(/(?:`|^)(?:\S+ )?tributary ([a-z]+(?: check| create| list| revoke| rotate)?)/gm),
    ]);
    expect(used.length).toBeGreaterThan(5);
    for (const [, name] of used)
      expect(
        names.some((it) => it === name || it.startsWith(`${name} `)),
        name,
      ).toBe(true);
  });
});
