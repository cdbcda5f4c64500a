import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { chromium } from "playwright-core";
import { encodeFunctionData, erc20Abi, type Hex, numberToHex } from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toBaseUnits } from "../../../src/client/index.ts";
import { devnetLayout } from "../../../src/devnet/markets/devnet-layout.ts";
import { devnetAccounts } from "../../../src/devnet/node/accounts.ts";
import { createJsonRpc } from "../../../src/devnet/node/json-rpc.ts";
import { freePort, startProgram } from "../../support/process/program.ts";
import { type ServedDevnet, startServedDevnet } from "../../support/worlds/served-devnet.ts";
import { browserPath } from "../clients/clients.ts";

const KEY = "key-of-the-examples";
const root = fileURLToPath(new URL("../../..", import.meta.url));
const shell = promisify(execFile);
const { whale } = devnetAccounts();
const layout = devnetLayout(whale);
const ETHER = 10n ** 18n;

describe("examples", () => {
  let served: ServedDevnet;
  let pagePort: number;
  let env: Record<string, string>;

  beforeAll(async () => {
    pagePort = await freePort();
    served = await startServedDevnet({ TRIBUTARY_API_KEY: KEY, CORS_ORIGINS: `http://127.0.0.1:${pagePort}` });
    env = {
      PATH: process.env.PATH ?? "",
      TRIBUTARY_URL: `http://127.0.0.1:${served.port}`,
      TRIBUTARY_API_KEY: KEY,
      RPC_URL: served.devnet.rpcUrl,
    };
  });
  afterAll(() => served?.stop());

  const runExample = async (name: string, ...words: string[]) =>
    (await shell(process.execPath, [join("examples", name), ...words], { cwd: root, env })).stdout;

  it("swap-with-viem.ts swaps there and back and receives what was quoted", async () => {
    const says = await runExample("swap-with-viem.ts");
    const [, quoted, received] = says.match(/^quoted (\d+), received (\d+)$/m) ?? [];
    expect(received).toBe(quoted);
    expect(says).toMatch(new RegExp(`^sold ${received} back for \\d{18,19} wei$`, "m"));
  });

  it("price-table.ts lists every token", async () => {
    const rows = (await runExample("price-table.ts")).trim().split("\n");
    expect(rows.length).toBeGreaterThan(10);
    expect(rows).toContainEqual(expect.stringMatching(/^USDH +2\d{3}\.\d+ {2}block \d+$/));
    expect(rows).toContainEqual(expect.stringMatching(/^WETH +1 {2}block \d+$/));
  });

  it("price-alarm.ts ends when the price is good", async () => {
    expect(await runExample("price-alarm.ts", "1000")).toMatch(/^block \d+: 2\d{3}\.\d+ USDH, sell!\n$/);
  });

  it("price-alarm.ts goes on when the service has been restarted", async () => {
    const [port, file] = [String(await freePort()), served.place.CHAIN_FILE];
    const serve = async () => {
      const service = startProgram({ ...env, PORT: port, METRICS_PORT: "0", SEARCH_THREADS: "1", CHAIN_FILE: file });
      await service.prints(/^curl /m);
      return service;
    };
    let service = await serve();
    const alarm = startProgram({ ...env, TRIBUTARY_URL: `http://127.0.0.1:${port}` }, [
      process.execPath,
      "examples/price-alarm.ts",
      "1000000",
    ]);
    try {
      await alarm.prints(/^block \d+: 2\d{3}\.\d+ USDH\n/m);
      await service.end("SIGTERM");
      await alarm.prints(/^no price: /m);
      service = await serve();
      await alarm.prints(/^no price: .*\n(.*\n)*block \d+: 2\d{3}\.\d+ USDH\n/m);
    } finally {
      await Promise.all([alarm.end("SIGTERM"), service.end("SIGTERM")]);
    }
  });

  it("rebalance.ts reaches its weights, and moves to the wei what it was quoted", async () => {
    const rpc = createJsonRpc(env.RPC_URL ?? "");
    const key = generatePrivateKey();
    const account = privateKeyToAddress(key);
    const tokenOf = (symbol: string) => layout.token(symbol).address;
    const decimals: Readonly<Record<string, number>> = { ETH: 18, USDH: 6, WBT: 8 };
    const balances = async () => {
      const holds = async (symbol: string) => {
        const data = encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [account] });
        return BigInt(await rpc.call<Hex>("eth_call", [{ to: tokenOf(symbol), data }, "latest"]));
      };
      const ether = BigInt(await rpc.call<Hex>("eth_getBalance", [account, "latest"]));
      return { ETH: ether, USDH: await holds("USDH"), WBT: await holds("WBT") };
    };
    await rpc.call("anvil_setBalance", [account, numberToHex(10n * ETHER)]);
    const data = encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [account, 60_000_000_000n] });
    await rpc.call("eth_sendTransaction", [{ from: whale, to: tokenOf("USDH"), data }]);
    await expect.poll(balances).toMatchObject({ USDH: 60_000_000_000n });

    const before = await balances();
    const first = Number(await rpc.call<Hex>("eth_blockNumber", []));
    const weights = ["ETH=50", "USDH=30", "WBT=20"];
    const { stdout } = await shell(process.execPath, ["examples/rebalance.ts", ...weights], {
      cwd: root,
      env: { ...env, PRIVATE_KEY: key },
    });
    const moved = [...stdout.matchAll(/^sold (\S+) (\w+) for (\S+) (\w+)$/gm)];
    expect(moved.map(([, , sold, , bought]) => [sold, bought])).toEqual([
      ["USDH", "ETH"],
      ["ETH", "WBT"],
    ]);

    const expected: Record<string, bigint> = { ...before };
    for (const [, sold = "", from = "", bought = "", to = ""] of moved) {
      expected[from] = (expected[from] ?? 0n) - (toBaseUnits(sold, decimals[from] ?? 0) ?? 0n);
      expected[to] = (expected[to] ?? 0n) + (toBaseUnits(bought, decimals[to] ?? 0) ?? 0n);
    }
    // An approval and two swaps have paid for gas.
    interface Receipt {
      readonly from: Hex;
      readonly gasUsed: Hex;
      readonly effectiveGasPrice: Hex;
    }
    const last = Number(await rpc.call<Hex>("eth_blockNumber", []));
    const numbers = Array.from({ length: last - first }, (_, at) => numberToHex(first + 1 + at));
    const receipts = (await Promise.all(numbers.map((it) => rpc.call<Receipt[]>("eth_getBlockReceipts", [it]))))
      .flat()
      .filter(({ from }) => from.toLowerCase() === account.toLowerCase());
    expect(receipts).toHaveLength(3);
    const fees = receipts.reduce((sum, it) => sum + BigInt(it.gasUsed) * BigInt(it.effectiveGasPrice), 0n);
    expect(await balances()).toEqual({ ...expected, ETH: (expected.ETH ?? 0n) - fees });

    const again = await shell(process.execPath, ["examples/rebalance.ts", ...weights], {
      cwd: root,
      env: { ...env, PRIVATE_KEY: key },
    });
    expect(again.stdout).toBe("");
  });

  it.skipIf(browserPath === undefined)(
    "wallet-preview quotes, approves and swaps with a wallet of the browser (needs a browser)",
    async () => {
      const folder = join(root, "examples", "wallet-preview");
      const script = await build({
        entryPoints: [join(folder, "main.tsx")],
        bundle: true,
        write: false,
        format: "esm",
        define: { "process.env.NODE_ENV": '"production"' },
      });
      const read = (name: string) => readFileSync(join(folder, name), "utf8");
      const files: Readonly<Record<string, readonly [string, string]>> = {
        "/": ["text/html", read("index.html")],
        "/preview.css": ["text/css", read("preview.css")],
        "/preview.js": ["text/javascript", script.outputFiles[0]?.text ?? ""],
      };
      const server = createServer(({ url = "/" }, response) => {
        const [type, body] = files[url] ?? ["text/plain", ""];
        response.setHeader("content-type", type).end(body);
      });
      await once(server.listen(pagePort, "127.0.0.1"), "listening");
      const chrome = await chromium.launch({ executablePath: browserPath ?? "", args: ["--no-sandbox"] });
      try {
        const page = await chrome.newPage();
        const [, , , , , account = "0x"] = await createJsonRpc(env.RPC_URL ?? "").call<Hex[]>("eth_accounts", []);
        await page.addInitScript(walletOf(account, env.RPC_URL ?? ""));
        await page.goto(`http://127.0.0.1:${pagePort}/#url=${env.TRIBUTARY_URL}&node=${env.RPC_URL}&key=${KEY}`);
        const preview = () => page.innerText("#preview");
        const outcome = () => page.innerText("#outcome");
        await expect.poll(preview).toMatch(/You receive\s+2\d{3}\.\d+ USDH\s+At least\s+\d+/);
        await page.fill("#amount", "2");
        await expect.poll(preview).toMatch(/You receive\s+4\d{3}\.\d+ USDH/);
        await page.fill("#amount", "a lot");
        await expect.poll(preview).toBe("Enter an amount.");

        await page.fill("#amount", "2");
        await page.click("text=Connect Test Wallet");
        await expect.poll(preview).toMatch(/Approvals first\s+none/);
        await page.click("#swap");
        await expect.poll(outcome).toMatch(/^Swapped in block \d+\.$/);
        const bought = await outcome();

        await page.click("#flip");
        await page.fill("#amount", "1000");
        await expect.poll(preview).toMatch(/You receive\s+0\.\d+ ETH\s[\s\S]*Approvals first\s+1$/);
        await page.click("#swap");
        await expect.poll(outcome).not.toBe(bought);
        await expect.poll(outcome).toMatch(/^Swapped in block \d+\.$/);
        await expect.poll(preview).toMatch(/Approvals first\s+1$/);
      } finally {
        await chrome.close();
        await new Promise((resolve) => server.close(resolve));
      }
    },
  );
});

/** Script of a page: a wallet as browsers announce it (EIP-6963), over a node that signs for the account. */
function walletOf(account: Hex, node: string): string {
  return `{
    let isAllowed = false;
    const provider = {
      async request({ method, params = [] }) {
        if (method === "eth_requestAccounts") isAllowed = true;
        if (method.endsWith("ccounts")) return isAllowed ? ["${account}"] : [];
        const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
        const headers = { "content-type": "application/json" };
        const { result, error } = await (await fetch("${node}", { method: "POST", headers, body })).json();
        if (error) throw Object.assign(new Error(error.message), error);
        return result;
      },
      on() {},
      removeListener() {},
    };
    const info = { uuid: "1", name: "Test Wallet", icon: "data:image/svg+xml,<svg/>", rdns: "test" };
    const announce = () =>
      dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail: Object.freeze({ info, provider }) }));
    addEventListener("eip6963:requestProvider", announce);
    announce();
  }`;
}
