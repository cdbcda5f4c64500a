import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { PACKAGES } from "../../../tools/packages/names.ts";
import { type ServedDevnet, startServedDevnet } from "../../support/worlds/served-devnet.ts";
import { browserPath } from "../clients/clients.ts";
import { takePicture } from "./pictures.ts";

const KEY = "key/of the+console";
const root = fileURLToPath(new URL("../../..", import.meta.url));
const shell = promisify(execFile);
/** A busy machine takes so long for one step. */
const STEP_MS = 60_000;

vi.setConfig({ testTimeout: 5 * STEP_MS, hookTimeout: 2 * STEP_MS });

describe.skipIf(browserPath === undefined)("the console (needs a browser such as Debian's chromium)", () => {
  let served: ServedDevnet;
  let origin: string;
  let link: string;
  let chrome: Browser;
  /** Number of pages opened in all. */
  let opened = 0;
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
    opened += 1;
    await page.goto(address);
    return page;
  }
  const view = (page: Page) => page.evaluate("document.body.dataset.view");
  const becomes = (page: Page, what: string) => page.waitForSelector(`body[data-view="${what}"]`);
  /** Whether an element is on the screen, once all observers of the page have been told. */
  const isOnScreen = (page: Page, id: string) =>
    page.evaluate(`new Promise((resolve) => {
      new IntersectionObserver((entries, observer) => {
        observer.disconnect();
        resolve(entries.at(-1).isIntersecting);
      }).observe(document.getElementById("${id}"));
    })`);
  /** Opens what costs many prices, and waits until it is drawn. */
  const compare = async (page: Page) => {
    for (const name of ["sources", "impact"]) await page.click(`#${name}-details summary`);
    await page.waitForSelector("#impact svg .here");
    await page.waitForSelector("#sources tr");
  };

  beforeAll(async () => {
    served = await startServedDevnet({ TRIBUTARY_API_KEY: KEY }, { traffic: true });
    origin = `http://127.0.0.1:${served.port}`;
    link = `${origin}/#key=${encodeURIComponent(KEY)}`;
    chrome = await chromium.launch({ executablePath: browserPath ?? "", args: ["--no-sandbox"] });
  });
  // A page that is left open draws every further block.
  afterEach(async () => {
    await Promise.all(chrome.contexts().map((context) => context.close()));
  });
  afterAll(async () => {
    await chrome?.close();
    await served?.stop();
  });

  it("opens with the link that is printed, shows a price, and follows the chain", async () => {
    const page = await open(link);
    await becomes(page, "price");
    expect(page.url()).not.toContain("key");
    expect(Number(await page.inputValue("#buy-amount"))).toBeGreaterThan(0);
    const facts = await page.innerText("#facts");
    expect(facts).toMatch(/Rate\s+1 ETH = [\d\u202f.]+ \w+/);
    expect(facts).toMatch(/at most [\d.]+ bps better/);
    expect(facts).toMatch(/Network cost, at most\s+0\.\d+ ETH · .*\$.* · [\d\u202f]+ gas at [\d.]+ gwei/);
    expect(await page.innerText("#sell-worth")).toMatch(/^about \$[\d,.]+$/);
    const block = await page.innerText("#head");
    await expect.poll(() => page.innerText("#head"), { timeout: STEP_MS }).not.toBe(block);
    // The first price is read out, those of later blocks are not.
    await page.waitForSelector('#answer[aria-live="off"]');
    await compare(page);
    expect(await page.locator("#sources tr").count()).toBeGreaterThan(3);
    expect(await page.innerText("#sources")).toMatch(/Uniswap_V3\s+[\d\u202f.]+\s+(the same|−[\d.]+ %)/);
    await takePicture(page, "light");
    await page.click("#theme");
    await takePicture(page, "dark");
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
    await compare(page);
    await takePicture(page, "split");
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
    expect(await page.innerText("#picker-import")).toContain("No token");
    await page.keyboard.press("Escape");
    expect(await page.innerText("#sell-token")).toContain("USDR");
  });

  it("asks for the key when it has none or a wrong one, and forgets it when told to", async () => {
    const page = await open(origin);
    await becomes(page, "key");
    await takePicture(page, "key");
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

  it("waits for tokens while the service knows the native one alone, and keeps the key", async () => {
    const page = await open("about:blank");
    const list = (await (await fetch(`${origin}/tokens.json`)).json()) as { readonly tokens: readonly unknown[] };
    await page.route("**/tokens.json", (route) => route.fulfill({ json: { tokens: list.tokens.slice(0, 1) } }));
    await page.goto(link);
    await becomes(page, "empty");
    expect(await page.innerText("#empty")).toContain("still reading the chain's tokens");
    expect(await page.evaluate("sessionStorage.length")).toBe(1);
    await page.unroute("**/tokens.json");
    await becomes(page, "price");
  });

  it("asks for one stream when an amount changes, and for comparisons once they are looked at", async () => {
    const page = await open(link);
    await becomes(page, "price");
    // The dollar's value is cached for a while.
    await expect.poll(() => page.innerText("#sell-worth"), { timeout: STEP_MS }).toContain("$");
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url().replace(origin, "").split("/").at(-1) ?? ""));
    for (const amount of ["2", "2.5"]) {
      asked.length = 0;
      await page.fill("#sell-amount", amount);
      await becomes(page, "loading");
      await becomes(page, "price");
      await page.waitForSelector('#answer[aria-live="off"]');
      expect(asked).toEqual(["WatchPrice"]);
    }
    await page.click("#impact-details summary");
    await page.waitForSelector("#impact svg .here");
    expect(asked.filter((name) => name === "GetPrice")).toHaveLength(8);
    expect(asked).not.toContain("ListSources");
    await page.click("#sources-details summary");
    await page.waitForSelector("#sources tr");
    expect(asked).toContain("ListSources");
    // Folded again, they ask for nothing.
    for (const name of ["sources", "impact"]) await page.click(`#${name}-details summary`);
    asked.length = 0;
    await page.fill("#sell-amount", "3");
    await becomes(page, "loading");
    await becomes(page, "price");
    await page.waitForSelector('#answer[aria-live="off"]');
    expect(asked).toEqual(["WatchPrice"]);
    // An open part above or below the screen waits until it is scrolled to.
    await page.setViewportSize({ width: 1200, height: 300 });
    await page.evaluate("scrollTo(0, 0)");
    expect(await isOnScreen(page, "impact-details")).toBe(false);
    await page.evaluate('document.getElementById("impact-details").open = true');
    await page.fill("#sell-amount", "4");
    await becomes(page, "loading");
    await becomes(page, "price");
    await page.waitForSelector('#answer[aria-live="off"]');
    expect(asked).not.toContain("GetPrice");
    await page.locator("#impact-details").scrollIntoViewIfNeeded();
    await page.waitForSelector("#impact svg .here");
  });

  it("reads amounts as people type and paste them, and speaks of amounts", async () => {
    const page = await open(link);
    await becomes(page, "price");
    for (const [typed, units] of [
      [".5", 5n * 10n ** 17n],
      ["5.", 5n * 10n ** 18n],
      ["1,000.5", 10_005n * 10n ** 17n],
      ["  1 000,25 ", 100_025n * 10n ** 16n],
    ] as const) {
      await page.fill("#sell-amount", typed);
      await expect.poll(() => page.url(), { timeout: STEP_MS }).toMatch(new RegExp(`sellAmount=${units}$`));
    }
    await page.fill("#sell-amount", "0.");
    await expect.poll(() => page.innerText("#empty"), { timeout: STEP_MS }).toContain("above zero");
    await page.fill("#sell-amount", "9".repeat(80));
    await expect.poll(() => page.innerText("#empty"), { timeout: STEP_MS }).toContain("smaller amount");
    await page.fill("#sell-amount", "0.000000000000000001");
    await becomes(page, "refusal");
    expect(await page.innerText("#refusal")).not.toMatch(/sellAmount|buyAmount|0x/);
  });

  it("imports a token by its address, with a warning, and keeps it", async () => {
    const page = await open("about:blank");
    const list = (await (await fetch(`${origin}/tokens.json`)).json()) as {
      readonly tokens: readonly { readonly symbol: string; readonly address: string }[];
    };
    const [imported, listed] = [list.tokens.filter(({ symbol }) => symbol === "USDR"), list.tokens.slice(0, 3)];
    await page.route("**/tokens.json", (route) => route.fulfill({ json: { tokens: listed } }));
    await page.goto(link);
    await becomes(page, "price");
    await page.click("#buy-token");
    // The market has it, though no list does.
    await page.fill("#picker-search", "usdr");
    await expect.poll(() => page.innerText("#picker-list"), { timeout: STEP_MS }).toMatch(/USDR\s+not listed/);
    await page.keyboard.press("Enter");
    await page.waitForSelector("#picker-import button");
    await page.fill("#picker-search", `0x${"12".repeat(20)}`);
    await expect
      .poll(() => page.innerText("#picker-import .bad"), { timeout: STEP_MS })
      .not.toMatch(/buyToken|sellAmount/);
    await page.fill("#picker-search", imported[0]?.address ?? "");
    await page.waitForSelector("#picker-import button");
    expect(await page.innerText("#picker-import")).toMatch(/USDR · \d+ decimals[\s\S]*Anybody can make a token/);
    await takePicture(page, "import", false);
    await page.click("#picker-import button");
    await expect.poll(() => page.innerText("#buy-token"), { timeout: STEP_MS }).toContain("USDR");
    await becomes(page, "price");
    await page.reload();
    await becomes(page, "price");
    expect(await page.innerText("#buy-token")).toContain("USDR");
    await page.click("#buy-token");
    await page.fill("#picker-search", "usdr");
    expect(await page.innerText("#picker-list")).toContain("imported");
    // A link to a token that nobody knows here asks before it is taken up.
    await page.evaluate("localStorage.clear()");
    await page.reload();
    await page.waitForSelector("#picker-import button");
    await page.keyboard.press("Escape");
    await becomes(page, "price");
    expect(await page.innerText("#buy-token")).not.toContain("USDR");
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
    expect(await page.innerText("#refusal")).toMatch(
      /buying 1[\d\u202f]+ USDH of the bought token USDH with ETH; send an amount of at most [\d\u202f.]+ USDH/,
    );
    await takePicture(page, "refusal");
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
    await compare(page);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
    await takePicture(page, "phone");
    for (const amount of ["1".repeat(59), "1".repeat(90), `0.${"0".repeat(17)}1`]) {
      await page.fill("#sell-amount", amount);
      await page.waitForSelector('body:is([data-view="price"], [data-view="refusal"], [data-view="empty"])');
      expect(await page.evaluate("document.documentElement.scrollWidth"), amount).toBeLessThanOrEqual(360);
    }
    await takePicture(page, "phone-huge");
  });

  it.each(["light", "dark"] as const)("shows the reference of the API without the network, %s", async (colorScheme) => {
    const page = await open("about:blank", { colorScheme });
    const faults: string[] = [];
    page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
    await page.goto(`${origin}/docs`);
    await page.waitForSelector("#reference h1");
    const text = await page.innerText("#reference");
    expect(text).toContain(`This service is at ${origin} and serves Tributary devnet (chain 31337)`);
    for (const summary of ["Indicative price with its route", "Quote with the transaction to send", "sellToken"])
      expect(text).toContain(summary);
    expect(text).toContain(`'${origin}/swap/v1/price?sellToken=0xeeee`);
    expect(faults).toEqual([]);
    await takePicture(page, `docs-${colorScheme}`, false);
  });

  it.each(["/docs", "/docs/errors"])("the page %s fits the narrowest phone", async (path) => {
    const page = await open(`${origin}${path}`, { viewport: { width: 320, height: 640 } });
    await page.waitForSelector("h1");
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
        (program ?? "").replace(JSON.stringify(PACKAGES.client), '"./src/client/index.ts"'),
      ],
      { env, cwd: root },
    );
    expect(stdout).toMatch(/^\d+ 1000000000000000000\n$/);
  });

  it("loads nothing from elsewhere, and no script of its own fails", async () => {
    expect(opened).toBeGreaterThan(4);
    expect(complaints).toEqual([]);
    for (const path of ["/", "/console.js", "/console.css"])
      expect(await (await fetch(origin + path)).text()).not.toContain(KEY);
  });
});
