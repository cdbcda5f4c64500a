import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { keyText, newKeyId, newSecret } from "../../src/api/keys/key-text.ts";
import { devnetLayout } from "../../src/devnet/markets/devnet-layout.ts";
import { devnetAccounts } from "../../src/devnet/node/accounts.ts";
import { NATIVE_TOKEN } from "../../src/domain/address.ts";
import { settlementContracts } from "../../src/settlement/contracts.ts";
import { freePort } from "../support/process/program.ts";
import { cli } from "./cli.ts";

const { weth: DEVNET_WETH } = devnetLayout(devnetAccounts().whale).contracts;
const KEY = { TRIBUTARY_API_KEY: "some-key" };

let folder: string;
let mute: Server;
const write = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "bad-input-"));
  mute = createServer(() => {});
  await new Promise<void>((resolve) => mute.listen(0, "127.0.0.1", resolve));
});
afterAll(() => {
  mute.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("a saved market", () => {
  it("whose tokens have names that would speak to the terminal is shown without that", async () => {
    const market = JSON.parse(readFileSync(new URL("../snapshot/market-v1.json", import.meta.url), "utf8")) as {
      tokens: { symbol: string; address: string }[];
    };
    const [first, second] = market.tokens;
    if (first === undefined || second === undefined) throw new Error("no tokens");
    first.symbol = "\u001b]0;mine\u0007\u009b2J";
    const file = write("market.json", JSON.stringify(market));
    const outcome = await cli(["price", "1", second.address, first.address, "--snapshot", file]);
    expect(outcome.stdout + outcome.stderr).toContain("\ufffd]0;mine\ufffd\ufffd2J");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it is these that must not be there.
    expect(outcome.stdout + outcome.stderr).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
  });

  it.each(["nowhere/market.json", "."])("is not read from the node to be written to %s", async (place) => {
    const outcome = await cli(["snapshot", join(folder, place)], { RPC_URL: "http://127.0.0.1:1", CHAIN: "ethereum" });
    expect(outcome).toMatchObject({ code: 2, stderr: expect.stringMatching(/no such file|is a folder/) });
  });
});

describe("a word that is mistyped is answered with the one that may be meant", () => {
  it.each([
    [["prise", "1", "ETH", "USDH"], 'there is no command "prise"; did you mean price?'],
    [["keys", "lst"], "did you mean keys list?"],
    [["--hlep"], "did you mean --help?"],
    [["price", "1", "ETH", "USDH", "--slipage", "0.01"], "there is no option --slipage; did you mean --slippage?"],
    [["price", "-1", "ETH", "USDH"], "there is no option -1\n"],
    [["xyzzy"], 'there is no command "xyzzy"\n'],
  ])("%j", async (words, says) => {
    const outcome = await cli(words, KEY);
    expect(outcome).toMatchObject({ code: 2, stderr: expect.stringContaining(says) });
    expect(outcome.stderr).toMatch(/see: tributary .*--help/);
  });
});

describe("a service", () => {
  it.each(["localhost:8080", "ftp://127.0.0.1/"])("at %s is no service", async (url) => {
    const outcome = await cli(["sources", "--url", url], KEY);
    expect(outcome).toMatchObject({ code: 2, stderr: expect.stringMatching(/--url: .*give one like http:/) });
  });

  it.each(["ключ", "a\nb"])("is not called with a key that no header can hold", async (key) => {
    const outcome = await cli(["sources", "--url", "http://127.0.0.1:1"], { TRIBUTARY_API_KEY: key });
    expect(outcome).toMatchObject({ code: 2, stderr: expect.stringContaining("TRIBUTARY_API_KEY") });
    expect(outcome.stderr).not.toContain(key);
  });

  it("that is not there is told as such, whatever tokens are called", async () => {
    const nobody = `http://127.0.0.1:${await freePort()}`;
    const outcome = await cli(["price", "1", "ETH", "USDH", "--url", nobody], KEY);
    const says = /^NOT_REACHED: the token list of .* ECONNREFUSED/;
    expect(outcome).toMatchObject({ code: 4, stderr: expect.stringMatching(says) });
  });

  it.each([
    [502, "<h1>Bad Gateway</h1>", "HTTP 502"],
    [200, "\u001b]0;mine<html>", "not valid JSON"],
    [200, "null", "not a token list"],
    [404, "", "no token on the service's list is called ETH"],
  ])("that answers %i %j for its tokens is not said to have others", async (status, body, says) => {
    const server = createHttpServer((_, response) => response.writeHead(status).end(body));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { code, stderr } = await cli(["price", "1", "ETH", "USDH", "--url", url], KEY);
    server.close();
    expect({ code, stderr }).toEqual({ code: status === 404 ? 2 : 4, stderr: expect.stringContaining(says) });
    expect(stderr).not.toContain("\u001b");
  });

  it("that does not answer is waited for as long as --timeout says", { timeout: 5_000 }, async () => {
    const url = `http://127.0.0.1:${(mute.address() as AddressInfo).port}`;
    const options = ["--url", url, "--timeout", "200"];
    const outcome = await cli(["price", "1", "ETH", "USDH", ...options], KEY);
    expect(outcome).toMatchObject({ code: 4, stderr: expect.stringContaining("token list") });
    const [sell, buy] = ["1", "2"].map((digit) => `0x${digit.repeat(40)}`) as [string, string];
    const watched = await cli(["watch", "1", sell, buy, "--base-units", ...options], KEY);
    expect(watched).toMatchObject({ code: 4, stderr: expect.stringContaining("DEADLINE_EXCEEDED") });
  });
});

it("an option that is given twice is refused", async () => {
  const twice = ["price", "1", "ETH", "USDH", "--slippage", "0.5", "--slippage", "0.01"];
  expect(await cli(twice, KEY)).toMatchObject({ code: 2, stderr: expect.stringContaining("--slippage") });
});

it("an empty variable leaves what the configuration's file says", async () => {
  const file = write("service.env", "PORT=9090\n");
  const { stdout } = await cli(["config", "check", "--config", file], { PORT: "" });
  expect(stdout).toMatch(/^PORT +9090$/m);
  const outcome = await cli(["sources", "--timeout", "100"], { ...KEY, TRIBUTARY_URL: "" });
  expect(outcome.stderr).not.toContain("not an HTTP URL");
});

describe("config check", () => {
  it.each([
    ["a certificate", { TLS_CERT_FILE: "nowhere.pem", TLS_KEY_FILE: "nowhere.pem" }, /TLS_CERT_FILE.*nowhere.pem/],
    ["makers, on the devnet too", { MAKERS_FILE: "nowhere.json" }, /MAKERS_FILE.*nowhere.json/],
    ["makers on a chain", { CHAIN: "ethereum", RPC_URL: "http://x", MAKERS_FILE: "nowhere.json" }, /MAKERS_FILE/],
  ])("looks at the files of %s", async (_, environment, says) => {
    expect(await cli(["config", "check"], environment)).toMatchObject({ code: 2, stderr: expect.stringMatching(says) });
  });
});

it("a maker that is polled less often than its levels last is told of", async () => {
  const url = "https://maker.example/levels";
  const account = "0x5fbdb2315678afecb367f032d93f642f64180aa3";
  const polled = { name: "Alpha", levelsUrl: url, ordersUrl: url, accounts: [account] };
  const check = (change: object, age = "5000") => {
    const file = write("makers.json", JSON.stringify({ makers: [{ ...polled, ...change }] }));
    return cli(["config", "check"], { MAKERS_FILE: file, MAKER_LEVELS_MAX_AGE_MS: age });
  };
  expect(await check({ pollEveryMs: 4_000 })).toMatchObject({ code: 0 });
  for (const late of [() => check({ pollEveryMs: 5_000 }), () => check({}, "900")]) {
    const says = /Alpha: .*pollEveryMs.*MAKER_LEVELS_MAX_AGE_MS/;
    expect(await late()).toMatchObject({ code: 2, stderr: expect.stringMatching(says) });
  }
});

it("a customer's key is no key of the service itself: it would have no limits, and could not be revoked", async () => {
  const key = keyText({ id: newKeyId(), secret: newSecret() });
  const outcome = await cli(["config", "check"], { TRIBUTARY_API_KEY: key });
  expect(outcome).toMatchObject({ code: 2, stderr: expect.stringContaining("`tributary keys create`") });
  expect(outcome.stderr).not.toContain(key);
});

it.each(["a key\nand more", "ключ-ключ", " with-a-space"])(
  "an API key that no caller can send is refused",
  async (key) => {
    const outcome = await cli(["config", "check"], { TRIBUTARY_API_KEY: key });
    expect(outcome).toMatchObject({ code: 2, stderr: expect.stringContaining("TRIBUTARY_API_KEY must") });
    expect(outcome.stderr).not.toContain(key);
  },
);

describe("maker", () => {
  it("says that no node answers, or that it is no devnet's", async () => {
    const nobody = await cli(["maker", "--rpc-url", `http://127.0.0.1:${await freePort()}`]);
    expect(nobody).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringMatching(/^--rpc-url: no devnet answers/),
    });
    const mainnet = createHttpServer((_, response) => response.end('[{"jsonrpc":"2.0","id":0,"result":"0x1"}]'));
    await new Promise<void>((resolve) => mainnet.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(mainnet.address() as AddressInfo).port}`;
    const elsewhere = await cli(["maker", "--rpc-url", url]);
    mainnet.close();
    expect(elsewhere).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("serves chain 1:") });
  });
});

describe("keys create", () => {
  it.each([
    ["--fee-recipient", NATIVE_TOKEN, /--fee-recipient is the native token/],
    ["--fee-recipient", DEVNET_WETH, /--fee-recipient is the wrapped native token/],
    ["--fee-recipient", settlementContracts(DEVNET_WETH).gateway.address, /--fee-recipient is a settlement contract/],
    ["--expires", "2127-02-31", /--expires: 2127-02-31 is no moment/],
    ["--expires", "2127-04-31T12:00Z", /is no moment/],
  ])("refuses %s %s", async (option, value, says) => {
    const words = ["keys", "create", "--label", "one", option, value];
    const outcome = await cli(words, { DATA_DIR: join(folder, "data") });
    expect(outcome).toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(says) });
  });
});

describe("switch", () => {
  const reason = ["--reason", "a test"];

  it("takes a source's name in any letter case", async () => {
    const environment = { DATA_DIR: join(folder, "switches") };
    for (const chain of [{}, { CHAIN: "ethereum", RPC_URL: "http://x" }]) {
      const words = ["switch", "off", "source", "uniswap_v3", ...reason];
      const { code, stdout } = await cli(words, { ...environment, ...chain });
      expect([code, stdout.slice(0, 25)]).toEqual([0, "source Uniswap_V3 is off n".slice(0, 25)]);
      await cli(["switch", "on", "source", "UNISWAP_V3", ...reason], { ...environment, ...chain });
    }
  });

  it("needs the chain alone and no node of it, as keys and saved markets do", async () => {
    const environment = { DATA_DIR: join(folder, "no-node"), CHAIN: "ethereum" };
    const off = await cli(["switch", "off", "source", "Uniswap_V33", ...reason], environment);
    expect(off).toMatchObject({ code: 2, stderr: expect.stringMatching(/no source Uniswap_V33.*Uniswap_V3/) });
    const pepper = { KEY_PEPPER: "a pepper of the tests, long enough" };
    const made = await cli(["keys", "create", "--label", "wallet"], { ...environment, ...pepper });
    expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/trb_/) });
    const market = fileURLToPath(new URL("../snapshot/market-v1.json", import.meta.url));
    const price = await cli(
      ["price", "1", "ETH", "0x0000000000000000000000000000000000000001", "--snapshot", market],
      environment,
    );
    expect(price.stderr).not.toContain("RPC_URL");
    const check = await cli(["config", "check"], environment);
    expect(check).toMatchObject({ code: 2, stderr: expect.stringMatching(/RPC_URL is needed with CHAIN/) });
  });

  it("knows no source that the configured chain does not have, but for taking it back", async () => {
    const environment = { DATA_DIR: join(folder, "other"), CHAIN: "ethereum", RPC_URL: "http://x" };
    const off = await cli(["switch", "off", "source", "Uniswap_V33", ...reason], environment);
    expect(off).toMatchObject({ code: 2, stderr: expect.stringMatching(/no source Uniswap_V33.*Uniswap_V3/) });
    expect(await cli(["switch", "on", "source", "Gone", ...reason], environment)).toMatchObject({ code: 0 });
  });
});
