import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { commands } from "../../src/cli/commands/index.ts";
import { devnetLayout } from "../../src/devnet/markets/devnet-layout.ts";
import { devnetAccounts } from "../../src/devnet/node/accounts.ts";
import { PACKAGES } from "../../tools/packages/names.ts";
import { freePort } from "../support/process/program.ts";
import { type ServedDevnet, startServedDevnet } from "../support/worlds/served-devnet.ts";
import { cli } from "./cli.ts";

const KEY = "key-of-the-command-line";
const layout = devnetLayout(devnetAccounts().whale);
const root = fileURLToPath(new URL("../..", import.meta.url));

/** The devnet has a block every two seconds. */
const POLL = { timeout: 60_000, interval: 500 };
mkdirSync(join(root, ".cache"), { recursive: true });

let served: ServedDevnet;
let environment: Record<string, string>;

beforeAll(async () => {
  served = await startServedDevnet({ TRIBUTARY_API_KEY: KEY });
  environment = { TRIBUTARY_URL: `http://127.0.0.1:${served.port}`, TRIBUTARY_API_KEY: KEY };
});
afterAll(() => served?.stop());

describe("price and quote", () => {
  it("sells an amount that stands before the sold token, in whole tokens", async () => {
    const { code, stdout } = await cli(["price", "1.5", "ETH", "usdh"], environment);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^sell +1\.5 ETH$/m);
    expect(stdout).toMatch(/^buy +3\d{3}(\.\d{1,6})? USDH, at least 3\d{3}/m);
    expect(stdout).toMatch(/^price +0\.000\d+ ETH per USDH$/m);
    expect(stdout).toMatch(/^gap +at most [\d.]+ bps/m);
    expect(stdout).toMatch(/^100\.00 % +ETH +→ WETH +Wrapped_Native/m);
  });

  it("buys an amount that stands before the bought token", async () => {
    const taker = devnetAccounts().whale;
    const { code, stdout } = await cli(["quote", "WETH", "100", "USDH", "--taker", taker], environment);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^sell +0\.0\d+ WETH, at most/m);
    expect(stdout).toMatch(/^buy +100 USDH$/m);
    expect(stdout).toMatch(/^approve +0x[0-9a-f]{40} may spend 0/m);
    expect(stdout).toMatch(/^data +0x[0-9a-f]{64,}$/m);
  });

  it("prints for programs the API's own JSON", async () => {
    const words = ["price", "1000000", layout.token("USDR").address, "USDH", "--base-units", "--json"];
    const { code, stdout } = await cli([...words, "--exclude", "Uniswap_V3,Uniswap_V2"], environment);
    expect(code).toBe(0);
    const answer = JSON.parse(stdout);
    expect(answer).toMatchObject({ chainId: 31337, sellAmount: "1000000" });
    expect(JSON.stringify(answer.sources)).not.toContain("Uniswap");
    const sources = await cli(["sources", "--json"], environment);
    expect(JSON.parse(sources.stdout).records).toContain("Uniswap_V3");
  });

  it("keeps routes within limits, with tokens by their symbols", async () => {
    const limits = ["--exclude-tokens", "USDR,WBT", "--connectors", "WETH", "--max-hops", "2", "--max-fills", "1"];
    const { code, stdout } = await cli(["price", "1", "ETH", "USDH", "--json", ...limits], environment);
    expect(code).toBe(0);
    const { fills } = JSON.parse(stdout).route;
    expect(fills.filter(({ source }: { readonly source: string }) => source !== "Wrapped_Native")).toHaveLength(1);
    const [{ pool }] = fills.slice(-1);
    const other = await cli(["price", "1", "ETH", "USDH", "--json", "--exclude-pools", pool], environment);
    expect(other.stdout).not.toContain(pool);
  });

  it("prices several amounts at one block, and several requests of a file", async () => {
    const { code, stdout } = await cli(["ladder", "1,10,100", "ETH", "USDH"], environment);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^sell ETH +buy USDH +price +gas +gap bps$/m);
    expect(stdout.match(/^ +10* {2,}\d+(\.\d+)? /gm)).toHaveLength(3);
    const bought = await cli(["ladder", "ETH", "1,2", "USDH", "--json", "--max-hops", "2"], environment);
    expect(JSON.parse(bought.stdout).entries.map(({ amount }: { readonly amount: string }) => amount)).toEqual([
      ...["1000000", "2000000"],
    ]);
    const folder = mkdtempSync(join(tmpdir(), "prices-"));
    const file = join(folder, "requests.json");
    const pair = { sellToken: layout.token("WETH").address, buyToken: layout.token("USDH").address };
    writeFileSync(
      file,
      JSON.stringify([
        { ...pair, sellAmount: "1000000000000000000" },
        { ...pair, buyAmount: "0" },
      ]),
    );
    expect((await cli(["prices", file], environment)).stdout).toMatch(
      /^\d+ {2}1 WETH → [\d.]+ USDH {2}[\d.]+\nno price: INVALID_PARAMETERS: .*buyAmount/,
    );
    writeFileSync(file, "{}");
    expect(await cli(["prices", file], environment)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/not an array/),
    });
    rmSync(folder, { recursive: true });
  });

  it("lists sources as a table", async () => {
    const { code, stdout } = await cli(["sources"], environment);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^source +kind +pools +asleep +status +block +exact-out +maths$/m);
    expect(stdout).toMatch(/^Uniswap_V3 +amm +\d+ +0 +live +\d+ +yes +exact$/m);
  });
});

describe("tokens and chain", () => {
  const page = readFileSync(join(root, "docs/tokens.md"), "utf8");
  const onPort = (text: string) => text.replaceAll("http://127.0.0.1:8080", environment.TRIBUTARY_URL ?? "");
  const blockOf = (mark: string) => {
    const [, block] = page.match(new RegExp(`<!-- run: ${mark} -->\\n\`\`\`\\w+\\n([\\s\\S]*?)\`\`\``)) ?? [];
    return onPort(block ?? expect.fail(`docs/tokens.md has no block ${mark}`));
  };
  const shell = async (line: string) => {
    const env = { PATH: process.env.PATH ?? "", ...environment };
    return JSON.parse((await promisify(execFile)("sh", ["-c", line], { env })).stdout);
  };
  const json = async (...words: string[]) => JSON.parse((await cli([...words, "--json"], environment)).stdout);
  interface Listed {
    readonly address: string;
    readonly symbol: string;
    readonly decimals: number;
    readonly nativeRate: string;
    readonly depth: string;
    readonly pools: string;
  }

  it("lists every token that pools hold, page by page, with names soon after the start", async () => {
    const walk = async () => {
      const all: Listed[] = [];
      for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
        const words = ["--page-size", "7", ...(cursor === undefined ? [] : ["--cursor", cursor])];
        const { tokens, nextCursor } = await json("tokens", ...words);
        all.push(...tokens);
        cursor = nextCursor ?? undefined;
      }
      return all;
    };
    await expect.poll(async () => (await walk()).every(({ decimals }) => decimals !== undefined), POLL).toBe(true);
    const all = await walk();
    const addresses = all.map(({ address }) => address);
    expect(new Set(addresses).size).toBe(addresses.length);
    for (const symbol of ["WETH", "USDH", "USDR"]) expect(addresses).toContain(layout.token(symbol).address);
    const depths = all.map(({ depth }) => BigInt(depth ?? 0).toString(2).length);
    expect(depths).toEqual(depths.toSorted((a, b) => b - a));
    expect(all.find(({ symbol }) => symbol === "ETH")?.pools).toBe(all.find(({ symbol }) => symbol === "WETH")?.pools);
  });

  it("tells the rate that a price of the same block has", async () => {
    const { address } = layout.token("USDH");
    const both = async () => {
      const listed = await json("tokens", address);
      const price = await json("price", "1", "ETH", "USDH");
      return listed.blockHash === price.blockHash ? [listed.tokens[0].nativeRate, price.buyTokenToEthRate] : undefined;
    };
    await expect.poll(both, POLL).toBeDefined();
    const [listed, priced] = (await vi.waitUntil(both, { timeout: 30_000 })) ?? [];
    expect(listed).toBe(priced);
    expect(Number(listed)).toBeGreaterThan(1_000);
  });

  it("answers what docs/tokens.md asks with curl", async () => {
    const found = await shell(blockOf("tokens"));
    expect(found.tokens.map(({ symbol }: Listed) => symbol)).toContain("USDH");
    expect(found.tokens.length).toBeLessThanOrEqual(3);
    const { tokens } = await shell(blockOf("addresses"));
    expect(tokens.map(({ symbol }: Listed) => symbol)).toEqual(["USDH", "ETH"]);
    const chain = await shell(blockOf("chain"));
    expect(chain).toMatchObject({
      chainId: 31337,
      wrappedNative: layout.token("WETH").address,
      contracts: { deployed: true },
      limits: { maxPageSize: 100 },
    });
    const price = await json("quote", "1", "ETH", "USDH");
    expect(price.to).toBe(chain.contracts.gateway);
  });

  it("runs the program of docs/tokens.md", async () => {
    const file = join(mkdtempSync(join(root, ".cache", "tokens-")), "list.ts");
    // The package's own name, which leads to the sources.
    writeFileSync(file, blockOf("client").replaceAll(PACKAGES.client, "tributary/client"));
    const env = { PATH: process.env.PATH ?? "", ...environment };
    const { stdout } = await promisify(execFile)(process.execPath, [file], { env, cwd: root });
    rmSync(dirname(file), { recursive: true });
    expect(stdout).toContain(`WETH ${layout.token("WETH").address} `);
  });

  it("prints tables, and says where more is", async () => {
    const { code, stdout, stderr } = await cli(["tokens", "--page-size", "2"], environment);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^token +address +decimals +per native +depth +pools +kept out$/m);
    expect(stderr).toMatch(/^more: --cursor \S+$/m);
    expect((await cli(["tokens", "usdh"], environment)).stdout).toMatch(/^USDH +0x[0-9a-f]{40} +6 +[1-4]\d{3}\.\d+ /m);
    const chain = await cli(["chain"], environment);
    expect(chain.stdout).toMatch(/^chain +31337 /m);
    expect(chain.stdout).toMatch(/^deployed +yes$/m);
    expect(await cli(["tokens", "--page-size", "0"], environment)).toMatchObject({ code: 3 });
    expect(await cli(["tokens", "--page-size", "x"], environment)).toMatchObject({ code: 2 });
  });
});

it("follows a price, for people and for programs", async () => {
  const words = ["watch", "1", "ETH", "USDH", "--count", "1"];
  expect((await cli(words, environment)).stdout).toMatch(/^\d+ {2}1 ETH → [\d.]+ USDH {2}0\.000\d+$/);
  const { price } = JSON.parse((await cli([...words, "--json"], environment)).stdout);
  expect(price).toMatchObject({ chainId: 31337 });
  expect(await cli([...words.slice(0, 5), "0"], environment)).toMatchObject({ code: 2 });
});

describe("what goes wrong", () => {
  it.each([
    [["price", "1", "NOPE", "USDH"], 2, /no token on the service's list is called NOPE/],
    [["price", "1.1234567", "USDH", "ETH"], 2, /at most 6 decimals/],
    [["price", "ETH", "USDH"], 2, /say what to swap/],
    [["price", "1", `0x${"12".repeat(20)}`, "ETH"], 2, /--base-units/],
    [["ladder", "1;2", "ETH", "USDH"], 2, /say what to swap/],
    [["ladder", "1,0", "ETH", "USDH"], 3, /sellAmounts\[1\] is 0/],
    [["ladder", "1", "ETH", "USDH", "--taker", "0x0"], 2, /--taker/],
    [["prices"], 2, /name one JSON file/],
    [["prices", "/nowhere.json"], 2, /ENOENT/],
    [["price", "1", "ETH", "USDH", "--colour"], 2, /--colour/],
    [["price", "1", "ETH", "USDH", "--timeout", "soon"], 2, /milliseconds/],
    [["price", "1", "ETH", "USDH", "--slippage", "2"], 3, /slippagePercentage/],
    [["price", "1", "ETH", "USDH", "--max-hops", "0"], 3, /maxHops is 0/],
    [["price", "1", "ETH", "USDH", "--connectors", "NOPE"], 2, /is called NOPE/],
    [["price", "1", "ETH", "USDH", "--key", "wrong-key"], 3, /API_KEY_INVALID/],
    [["price", "ETH", `1${"0".repeat(30)}`, "USDH"], 3, /INSUFFICIENT_ASSET_LIQUIDITY/],
    [["price", "1", "ETH", "USDH", "--url", "there"], 2, /not an HTTP URL/],
    [["fetch"], 2, /no command "fetch"/],
  ])("%j", async (words, code, says) => {
    const outcome = await cli(words, environment);
    expect(outcome.stderr).toMatch(says);
    expect(outcome).toMatchObject({ code, stdout: "" });
  });

  it("asks for a key, and ends with 4 where nobody listens", async () => {
    expect(await cli(["sources"], {})).toMatchObject({ code: 2, stderr: expect.stringContaining("TRIBUTARY_API_KEY") });
    const nobody = `http://127.0.0.1:${await freePort()}`;
    expect(await cli(["sources", "--url", nobody], environment)).toMatchObject({
      code: 4,
      stderr: expect.stringMatching(/^NOT_REACHED: .*ECONNREFUSED.*\n.*--url/),
    });
  });
});

describe("help", () => {
  it("lists every command and the exit codes", async () => {
    const { code, stdout } = await cli(["--help"]);
    expect(code).toBe(0);
    const widest = Math.max(...commands.map(({ name }) => name.length));
    for (const { name, about } of commands) expect(stdout).toContain(`${name.padEnd(widest)}  ${about}`);
    expect(stdout).toMatch(/^ {2}4 +the same command may succeed later$/m);
    expect(await cli([])).toMatchObject({ code: 2, stdout });
  });

  it("stands before a command as well as after it", async () => {
    for (const name of ["price", "keys create"]) {
      const words = name.split(" ");
      const { code, stdout } = await cli(["help", ...words]);
      expect([code, stdout]).toEqual([0, (await cli([...words, "--help"])).stdout]);
      expect(stdout).toContain(`tributary ${name} `);
    }
    expect(await cli(["help", "nonsense"])).toMatchObject({ code: 2, stderr: expect.stringContaining("nonsense") });
  });

  it("tells the commands that begin with a word", async () => {
    const { code, stdout } = await cli(["keys", "--help"]);
    expect(code).toBe(0);
    expect(stdout.match(/^ {2}[a-z]+ [a-z]+/gm)).toEqual(
      ["create", "list", "show", "update", "rotate", "revoke"].map((verb) => `  keys ${verb}`),
    );
    expect(await cli(["keys"])).toMatchObject({ code: 2, stdout });
  });

  it.each(commands.map((command) => [command.name, command] as const))(
    "%s has an example that can be read",
    async (_, command) => {
      const { code, stdout } = await cli([...command.name.split(" "), "--help"]);
      expect(code).toBe(0);
      expect(stdout).toContain(`tributary ${command.example}`);
      expect(command.example.startsWith(command.name)).toBe(true);
      for (const [name, { about }] of Object.entries(command.options)) {
        expect(stdout).toContain(`--${name}`);
        expect(stdout).toContain(about);
      }
    },
  );

  it("has examples of calls that work on the devnet as they stand", async () => {
    const examples = commands.filter(({ name }) =>
      ["price", "quote", "sources", "tokens", "chain", "watch"].includes(name),
    );
    expect(examples).toHaveLength(6);
    for (const { example } of examples) expect(await cli(example.split(" "), environment)).toMatchObject({ code: 0 });
  });
});

it.each(["--version", "-v", "version"])("%s says which program this is", async (word) => {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  expect(await cli([word])).toMatchObject({ code: 0, stdout: `tributary ${version}` });
});

it("is a program", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ["src/cli/main.ts", "sources"], {
    cwd: root,
    env: { ...environment, PATH: process.env.PATH },
  });
  expect(stdout).toContain("Uniswap_V3");
});
