import { execFile } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { browserPath } from "../clients/clients.ts";
import { freePort, type Program, startProgram } from "../support/program.ts";

const KEY = "key/of the+console";
const root = fileURLToPath(new URL("../..", import.meta.url));
/** Pictures for whoever wants to look. */
const pictures = join(root, ".cache", "console");
const shell = promisify(execFile);
/** A busy machine takes so long for one step. */
const STEP_MS = 60_000;

vi.setConfig({ testTimeout: 5 * STEP_MS, hookTimeout: 2 * STEP_MS });

describe.skipIf(browserPath === undefined)("the console (needs a browser such as Debian's chromium)", () => {
  let program: Program;
  let origin: string;
  let link: string;
  let chrome: Browser;
  const pages: Page[] = [];
  const complaints: string[] = [];

  /** A new tab with nothing remembered. */
  async function open(address: string, options: BrowserContextOptions = {}): Promise<Page> {
    const context = await chrome.newContext({ viewport: { width: 1200, height: 1000 }, ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(STEP_MS);
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("request", (request) => {
      if (!request.url().startsWith(origin) && !request.url().startsWith("data:")) complaints.push(request.url());
    });
    pages.push(page);
    await page.goto(address);
    return page;
  }
  const view = (page: Page) => page.evaluate("document.body.dataset.view");
  const becomes = (page: Page, what: string) => page.waitForSelector(`body[data-view="${what}"]`);
  const picture = (page: Page, name: string) =>
    page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });

  beforeAll(async () => {
    mkdirSync(pictures, { recursive: true });
    const port = await freePort();
    origin = `http://127.0.0.1:${port}`;
    program = startProgram({ PORT: String(port), DEVNET_PORT: "0", TRIBUTARY_API_KEY: KEY, DEVNET_TRAFFIC: "1" });
    [, link = ""] = await program.prints(/^Console: (\S+)$/m);
    chrome = await chromium.launch({ executablePath: browserPath ?? "", args: ["--no-sandbox"] });
  });
  afterAll(async () => {
    await chrome?.close();
    await program?.end("SIGTERM");
  });

  it("opens with the link that is printed, shows a price, and follows the chain", async () => {
    const page = await open(link);
    await becomes(page, "price");
    expect(page.url()).not.toContain("key");
    expect(Number(await page.inputValue("#buy-amount"))).toBeGreaterThan(0);
    const facts = await page.innerText("#facts");
    expect(facts).toMatch(/Rate\s+1 ETH = [\d\u202f.]+ \w+/);
    expect(facts).toMatch(/at most [\d.]+ bps better/);
    const block = await page.innerText("#head");
    await expect.poll(() => page.innerText("#head"), { timeout: STEP_MS }).not.toBe(block);
    // The first price is read out, those of later blocks are not.
    await page.waitForSelector('#answer[aria-live="off"]');
    await page.waitForSelector("#impact svg .here");
    expect(await page.locator("#sources tr").count()).toBeGreaterThan(3);
    expect(await page.innerText("#sources")).toMatch(/Uniswap_V3\s+[\d\u202f.]+\s+(the same|−[\d.]+ %)/);
    await picture(page, "light");
    await page.click("#theme");
    await picture(page, "dark");
  });

  it("draws a split route with every fill, and says it in words", async () => {
    const page = await open(link);
    await becomes(page, "price");
    await page.fill("#sell-amount", "3000");
    await becomes(page, "loading");
    await becomes(page, "price");
    expect(await page.locator("#route .band").count()).toBeGreaterThan(3);
    expect(Number(await page.inputValue("#buy-amount"))).toBeGreaterThan(1_000_000);
    const label = await page.getAttribute("#route svg", "aria-label");
    expect(label?.split(";")).toHaveLength(await page.locator("#route .band").count());
    await page.waitForSelector("#impact svg .here");
    await picture(page, "split");
    // The address is a link to the same swap, without the key.
    expect(page.url()).toContain("sellAmount=3000000000000000000000");
    expect(page.url()).not.toContain("key");
  });

  it("is used with the keyboard alone: tokens are searched, chosen, turned around", async () => {
    const page = await open(link);
    await becomes(page, "price");
    await page.focus("#buy-token");
    await page.keyboard.press("Enter");
    await page.keyboard.type("usdr");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.innerText("#buy-token"), { timeout: STEP_MS }).toContain("USDR");
    expect(await page.getByRole("button", { name: "Token to buy: USDR" }).count()).toBe(1);
    await becomes(page, "price");
    await page.focus("#buy-amount");
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.type("250.5");
    await expect.poll(() => page.inputValue("#sell-amount"), { timeout: STEP_MS }).toMatch(/^0\.\d+$/);
    expect(await page.innerText("#facts")).toContain("Sold at most");
    await page.focus("#turn");
    await page.keyboard.press("Space");
    await expect.poll(() => page.innerText("#sell-token"), { timeout: STEP_MS }).toContain("USDR");
    await expect.poll(() => page.inputValue("#buy-amount"), { timeout: STEP_MS }).toMatch(/^0\.\d+$/);
    await page.focus("#sell-token");
    await page.keyboard.press("Enter");
    await page.keyboard.type("no such token");
    expect(await page.innerText("#picker-list")).toContain("No token");
    await page.keyboard.press("Escape");
    expect(await page.innerText("#sell-token")).toContain("USDR");
  });

  it("asks for the key when it has none or a wrong one, and forgets it when told to", async () => {
    const page = await open(origin);
    await becomes(page, "key");
    await picture(page, "key");
    // The second is no text that a header can carry.
    for (const wrong of ["not-the-right-one", "“quoted-by-a-word-processor”"]) {
      await page.fill("#key-input", wrong);
      await page.keyboard.press("Enter");
      await becomes(page, "key");
      await expect.poll(() => page.innerText("#key-why"), { timeout: STEP_MS }).toContain("does not accept");
      await page.reload();
      await becomes(page, "key");
    }
    await page.fill("#key-input", KEY);
    await page.keyboard.press("Enter");
    await becomes(page, "price");
    await page.reload();
    await becomes(page, "price");
    await page.click("#leave");
    await becomes(page, "key");
    expect(await page.evaluate("sessionStorage.length")).toBe(0);
    expect(await page.innerText("#key-why")).toContain("is forgotten");
    // The link that is printed, in this very tab.
    await page.goto(link);
    await becomes(page, "price");
    expect(page.url()).not.toContain("key");
  });

  it("waits for a service that does not answer with the key at hand, and says what a key is not for", async () => {
    const page = await open("about:blank");
    await page.route("**/tokens.json", (route) => route.abort());
    await page.goto(link);
    await becomes(page, "empty");
    expect(await page.innerText("#empty")).toContain("cannot be reached");
    await page.unroute("**/tokens.json");
    await becomes(page, "price");
    const refusal = { code: "permission_denied", message: "this key is not for ListSources" };
    await page.route("**/ListSources", (route) => route.fulfill({ status: 403, json: refusal }));
    await page.reload();
    await becomes(page, "key");
    expect(await page.innerText("#key-why")).toBe(refusal.message);
  });

  it("says so when the service has no token list, and keeps the key", async () => {
    const page = await open("about:blank");
    await page.route("**/tokens.json", (route) => route.fulfill({ json: { tokens: [] } }));
    await page.goto(link);
    await becomes(page, "empty");
    expect(await page.innerText("#empty")).toContain("set TOKEN_LIST");
    expect(await page.evaluate("sessionStorage.length")).toBe(1);
    await page.click("#leave");
    await becomes(page, "key");
  });

  it("says what is missing, what is refused, and tries again when the service comes back", async () => {
    const page = await open(link);
    await becomes(page, "price");
    await page.fill("#sell-amount", "");
    await becomes(page, "empty");
    expect(await page.innerText("#empty")).toContain("Enter an amount");
    await page.fill("#sell-amount", "1.0000000000000000001");
    await expect.poll(() => page.innerText("#empty"), { timeout: STEP_MS }).toContain("at most 18 decimals");
    await page.fill("#sell-amount", "1,000");
    await expect.poll(() => page.innerText("#empty"), { timeout: STEP_MS }).toContain("in more than one way");
    await page.fill("#buy-amount", "1000000000000000");
    await becomes(page, "refusal");
    expect(await page.innerText("#refusal")).toContain("Not enough liquidity");
    expect(await page.innerText("#refusal")).toMatch(/to buy 1[\d\u202f]+ USDH; send at most [\d\u202f.]+ USDH/);
    await picture(page, "refusal");
    await page.route("**/WatchPrice", (route) => route.abort());
    await page.fill("#sell-amount", "1");
    await becomes(page, "refusal");
    await expect.poll(() => page.innerText("#refusal"), { timeout: STEP_MS }).toContain("cannot be reached");
    await page.unroute("**/WatchPrice");
    await becomes(page, "price");
    expect(await view(page)).toBe("price");
    await page.click("summary");
    await page.fill("#slippage", "200");
    await expect.poll(() => page.innerText("#empty"), { timeout: STEP_MS }).toContain("percent up to 100");
  });

  it("reads out the price that is there again once a stream has broken, none of later blocks", async () => {
    const page = await open("about:blank");
    // globalThis.cut() ends the stream of prices as a lost connection does.
    await page.addInitScript(`{
      const ask = globalThis.fetch;
      globalThis.fetch = async (input, init) => {
        const answer = await ask(input, init);
        if (!String(input.url ?? input).endsWith("/WatchPrice")) return answer;
        const lost = new Promise((_, reject) => (globalThis.cut = () => reject(new TypeError("network error"))));
        const reader = answer.body.getReader();
        const pull = async (body) => {
          const { done, value } = await Promise.race([reader.read(), lost]);
          if (done) body.close();
          else body.enqueue(value);
        };
        return new Response(new ReadableStream({ pull }), answer);
      };
    }`);
    await page.goto(link);
    await becomes(page, "price");
    await page.waitForSelector('#answer[aria-live="off"]');
    await page.route("**/WatchPrice", (route) => route.abort());
    await page.evaluate("cut()");
    await becomes(page, "refusal");
    expect(await page.getAttribute("#answer", "aria-live")).toBe("polite");
    await page.unroute("**/WatchPrice");
    await becomes(page, "price");
    await page.waitForSelector('#answer[aria-live="off"]');
  });

  it("fits a phone", async () => {
    const page = await open(link, { viewport: { width: 360, height: 740 }, colorScheme: "dark" });
    await becomes(page, "price");
    await page.waitForSelector("#impact svg .here");
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
    await picture(page, "phone");
  });

  it.each(["/docs", "/docs/errors"])("the page %s fits the narrowest phone", async (path) => {
    const page = await open(`${origin}${path}`, { viewport: { width: 320, height: 640 } });
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(320);
  });

  it("copies requests that get an answer as they are", async () => {
    const page = await open(link);
    await becomes(page, "price");
    const env = { PATH: process.env.PATH, HOME: process.env.HOME, TRIBUTARY_API_KEY: KEY };
    for (const name of ["curl", "buf curl"]) {
      const line = (await page.getAttribute(`[data-snippet="${name}"]`, "title")) ?? "";
      expect(line).not.toContain(KEY);
      const { stdout } = await shell("sh", ["-c", line], { env, cwd: "/" });
      expect(JSON.parse(stdout), name).toMatchObject({ sellAmount: "1000000000000000000" });
    }
    const program = await page.getAttribute('[data-snippet="TypeScript"]', "title");
    const { stdout } = await shell(
      process.execPath,
      [
        "--input-type=module-typescript",
        "-e",
        (program ?? "").replace('"tributary-client"', '"./src/client/index.ts"'),
      ],
      { env, cwd: root },
    );
    expect(stdout).toMatch(/^\d+ 1000000000000000000\n$/);
  });

  it("loads nothing from elsewhere, and no script of its own fails", async () => {
    expect(pages.length).toBeGreaterThan(4);
    expect(complaints).toEqual([]);
    for (const path of ["/", "/console.js", "/console.css"])
      expect(await (await fetch(origin + path)).text()).not.toContain(KEY);
  });
});

it("is served as it is built from console/src, and its types hold", async () => {
  await shell(process.execPath, ["tools/console.ts", "--check"], { cwd: root });
  await shell(join(root, "node_modules", ".bin", "tsc"), ["-p", "console"], { cwd: root });
});
