import { type Browser, chromium, type Page } from "playwright-core";
import { decodeFunctionData, erc20Abi, formatUnits, type Hex, numberToHex, parseUnits } from "viem";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { devnetLayout } from "../../../src/devnet/markets/devnet-layout.ts";
import { devnetAccounts } from "../../../src/devnet/node/accounts.ts";
import { createJsonRpc, type JsonRpc } from "../../../src/devnet/node/json-rpc.ts";
import { settlementContracts } from "../../../src/settlement/contracts.ts";
import { type ServedDevnet, startServedDevnet } from "../../support/worlds/served-devnet.ts";
import { browserPath } from "../clients/clients.ts";
import { takePicture } from "./pictures.ts";

const KEY = "key-of-the-wallet";
const layout = devnetLayout(devnetAccounts().whale);
const [USDH, WETH] = [layout.token("USDH").address, layout.token("WETH").address];
/** Its pools are shallow. */
const OXBW = layout.token("OXBW").address;
const GATEWAY = settlementContracts(WETH).gateway.address;

vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 });

/** A swap takes a block or two, and the machine may have other things to do. */
const soon = (look: () => Promise<string>) => expect.poll(look, { timeout: 40_000 });

/** Decisions of a wallet's owner. */
interface Owner {
  /** Answers of the wallet itself, by method; an error's code and message where it has one. */
  answers: Record<string, unknown>;
  refusal?: { readonly code: number; readonly message: string } | undefined;
}

interface Sent {
  readonly from: Hex;
  readonly to: Hex;
  readonly data: Hex;
  readonly value: Hex;
  readonly gas?: Hex;
}

describe.skipIf(browserPath === undefined)("a wallet in the console (needs a browser)", () => {
  let served: ServedDevnet;
  let chrome: Browser;
  let link: string;
  let rpc: JsonRpc;
  let account: Hex;

  beforeAll(async () => {
    served = await startServedDevnet({ TRIBUTARY_API_KEY: KEY });
    link = `http://127.0.0.1:${served.port}/#key=${encodeURIComponent(KEY)}`;
    rpc = createJsonRpc(served.devnet.rpcUrl);
    account = devnetAccounts().deployer.address.toLowerCase() as Hex;
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

  /** A page with a wallet inside that passes on to the devnet's node, which signs for its unlocked account. */
  async function open(owner: Owner, address = link) {
    const sent: Sent[] = [];
    const page = await (await chrome.newContext({ viewport: { width: 1200, height: 1000 } })).newPage();
    await page.exposeFunction("askOwner", async (method: string, params: readonly unknown[] = []) => {
      try {
        if (owner.refusal !== undefined && method === "eth_sendTransaction") return { error: owner.refusal };
        if (method === "eth_sendTransaction") sent.push(params[0] as Sent);
        if (method in owner.answers) return { result: owner.answers[method] };
        return { result: await rpc.call(method, params) };
      } catch (error) {
        return { error: { code: -32000, message: String(error) } };
      }
    });
    await page.addInitScript(`{
      const listeners = {};
      const provider = {
        async request({ method, params }) {
          const { result, error } = await globalThis.askOwner(method, params);
          if (error) throw Object.assign(new Error(error.message), error);
          return result;
        },
        on: (event, listener) => (listeners[event] = listener),
        removeListener: (event) => delete listeners[event],
      };
      globalThis.tellWallet = (event, value) => listeners[event]?.(value);
      const icon = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'><rect width='8' height='8'/></svg>";
      const detail = Object.freeze({ info: { uuid: "1", name: "Test Wallet", icon, rdns: "test" }, provider });
      const announce = () => dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail }));
      addEventListener("eip6963:requestProvider", announce);
      announce();
    }`);
    await page.goto(address);
    await page.waitForSelector('body[data-view="price"]');
    return { page, sent };
  }
  /** Agrees to what is reviewed. */
  const agree = async (page: Page) => {
    await page.waitForSelector("#review[open]");
    await page.click("#review-confirm");
  };
  const accountsOf = () => ({ eth_requestAccounts: [account] });
  const says = (page: Page) => page.innerText("#wallet-says");
  const failed = (page: Page) => page.innerText("#wallet-failed");
  const label = (page: Page) => page.innerText("#wallet-go");
  const swapOf = (sell: string, buy: string, sellAmount: bigint) =>
    `${link.split("#")[0]}#key=${encodeURIComponent(KEY)}&sell=${sell}&buy=${buy}&sellAmount=${sellAmount}`;
  const holds = async (token: string) =>
    BigInt(
      await rpc.call<Hex>("eth_call", [
        { to: token, data: `0x70a08231${account.slice(2).padStart(64, "0")}` },
        "latest",
      ]),
    );
  const NATIVE = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";

  it("swaps the native token in one step, and says what was received", async () => {
    const { page, sent } = await open({ answers: accountsOf() }, swapOf(NATIVE, USDH, 10n ** 18n));
    expect(await says(page)).toContain("exactly as it was quoted");
    await page.click("text=Connect Test Wallet");
    await soon(() => says(page)).toBe(`Connected: ${account}`);
    expect(await page.inputValue("#taker")).toBe(account);
    expect(await label(page)).toBe("Swap ETH");
    const before = await holds(USDH);
    await page.click("#wallet-go");
    await page.waitForSelector("#review[open]");
    const review = await page.innerText("#review");
    for (const line of [/You sell\s+1 ETH/, /Received at least\s+[\d.\u202f]+ USDH/, /Price impact\s+0\.\d+ %/]) {
      expect(review).toMatch(line);
    }
    expect(review).toMatch(/The quote holds for [01]:\d\d min\./);
    expect(await page.isVisible("#review-typed")).toBe(false);
    expect(sent).toEqual([]);
    await takePicture(page, "review");
    await agree(page);
    await soon(() => says(page)).toMatch(/^Swapped: received [\d.]+ USDH in block \d+/);
    const received = (await holds(USDH)) - before;
    expect(received).toBeGreaterThan(2_000_000_000n);
    expect(await says(page)).toContain(`received ${formatUnits(received, 6)} USDH`);
    expect(sent).toMatchObject([{ from: account, to: GATEWAY, value: numberToHex(10n ** 18n) }]);
    expect(Number(sent[0]?.gas)).toBeGreaterThan(100_000);
    await takePicture(page, "wallet-swapped");
  });

  it("shows what is not approved, approves the gateway for what is sold, then swaps: nothing stays open", async () => {
    const amount = 500_000_000n;
    const owner: Owner = { answers: accountsOf() };
    const { page, sent } = await open(owner, swapOf(USDH, WETH, amount));
    await page.click("text=Connect Test Wallet");
    await soon(() => label(page)).toBe("Swap USDH");
    await page.click("#wallet-go");
    await soon(() => label(page)).toBe("Approve 500 USDH");
    const elsewhere = { eth_chainId: "0x1", wallet_switchEthereumChain: null };
    Object.assign(owner.answers, elsewhere);
    await page.click("#wallet-go");
    await soon(() => failed(page)).toContain("Change it to chain 31337");
    for (const method of Object.keys(elsewhere)) delete owner.answers[method];
    expect(await says(page)).toMatch(new RegExp(`^Allowed so far: 0 USDH.*for ${GATEWAY}`, "i"));
    expect(sent).toEqual([]);
    await takePicture(page, "wallet-approve");
    await page.click("#wallet-go");
    await soon(() => says(page)).toContain("Approved.");
    expect(sent[0]?.to).toBe(USDH);
    expect(decodeFunctionData({ abi: erc20Abi, data: sent[0]?.data ?? "0x" })).toMatchObject({
      functionName: "approve",
      args: [expect.stringMatching(new RegExp(GATEWAY, "i")), amount],
    });
    const [usdh, weth] = [await holds(USDH), await holds(WETH)];
    await page.click("#wallet-go");
    await agree(page);
    await soon(() => says(page)).toMatch(/^Swapped: received 0\.\d+ WETH/);
    expect(usdh - (await holds(USDH))).toBe(amount);
    expect(await holds(WETH)).toBeGreaterThan(weth);
    expect(sent.map(({ to }) => to)).toEqual([USDH, GATEWAY]);
    const holder = account.slice(2).padStart(64, "0");
    const allowance = `0xdd62ed3e${holder}${GATEWAY.slice(2).padStart(64, "0")}`;
    expect(BigInt(await rpc.call<Hex>("eth_call", [{ to: USDH, data: allowance }, "latest"]))).toBe(0n);
  });

  it("says what the wallet and the service refuse, and lets it be tried again", async () => {
    const owner: Owner = { answers: accountsOf(), refusal: { code: 4001, message: "User rejected" } };
    const { page, sent } = await open(owner, swapOf(NATIVE, USDH, 10n ** 17n));
    await page.click("text=Connect Test Wallet");
    await soon(() => label(page)).toBe("Swap ETH");
    await page.click("#wallet-go");
    await agree(page);
    await soon(() => failed(page)).toBe("You declined it in the wallet. Nothing was sent.");
    await takePicture(page, "wallet-declined");
    owner.refusal = { code: -32603, message: "the keyring is broken" };
    await page.click("#wallet-go");
    await agree(page);
    await soon(() => failed(page)).toBe("The wallet says: the keyring is broken");
    owner.refusal = undefined;
    await page.fill("#sell-amount", "0.2");
    await soon(() => failed(page)).toBe("");
    expect(sent).toEqual([]);
  });

  it("has a swap of great impact or slippage confirmed by typing, and sends nothing before", async () => {
    const { page, sent } = await open({ answers: accountsOf() }, swapOf(NATIVE, OXBW, 50n * 10n ** 18n));
    await page.click("text=Connect Test Wallet");
    await soon(() => label(page)).toBe("Swap ETH");
    await page.click("#wallet-go");
    await page.waitForSelector("#review[open]");
    expect(await page.innerText("#review-warnings")).toMatch(/price impact is \d\d/);
    expect(await page.isDisabled("#review-confirm")).toBe(true);
    await page.fill("#review-word", "yes");
    expect(await page.isDisabled("#review-confirm")).toBe(true);
    await takePicture(page, "review-impact");
    await page.fill("#review-word", "Confirm");
    expect(await page.isDisabled("#review-confirm")).toBe(false);
    await page.click("#review-cancel");
    await soon(() => says(page)).toBe(`Connected: ${account}`);
    expect(sent).toEqual([]);
    await page.fill("#sell-amount", "0.1");
    await page.click("summary");
    await page.fill("#slippage", "100");
    await soon(() => page.innerText("#slippage-warning")).toContain("100 % lets others take");
    await soon(() => label(page)).toBe("Swap ETH");
    await page.click("#wallet-go");
    await page.waitForSelector("#review[open]");
    expect(await page.innerText("#review-warnings")).toContain("slippage of 100 %");
    expect(await page.isDisabled("#review-confirm")).toBe(true);
    await page.keyboard.press("Escape");
    await soon(() => says(page)).toBe(`Connected: ${account}`);
    expect(sent).toEqual([]);
  });

  it("offers the new price when it moves during the review", async () => {
    const { page, sent } = await open({ answers: accountsOf() }, swapOf(NATIVE, USDH, 10n ** 18n));
    await page.click("text=Connect Test Wallet");
    await soon(() => label(page)).toBe("Swap ETH");
    await page.click("#wallet-go");
    await page.waitForSelector("#review[open]");
    const least = () => page.innerText("#review-facts dd >> nth=3");
    const before = await least();
    // Somebody else trades much the same way.
    const other = await open({ answers: accountsOf() }, swapOf(NATIVE, USDH, 2_000n * 10n ** 18n));
    await other.page.click("text=Connect Test Wallet");
    await soon(() => label(other.page)).toBe("Swap ETH");
    await other.page.click("#wallet-go");
    await agree(other.page);
    await soon(() => says(other.page)).toMatch(/^Swapped/);
    await soon(() => page.innerText("#review-moved")).toMatch(/^The price has moved: you would receive .* worse by/);
    await takePicture(page, "review-moved");
    await page.click("#review-again");
    await soon(least).not.toBe(before);
    expect(await page.innerText("#review-moved")).toBe("");
    await agree(page);
    await soon(() => says(page)).toMatch(/^Swapped: received/);
    expect(sent).toHaveLength(1);
  });

  it("shows balances, and sells all but what gas may cost", async () => {
    const { page } = await open({ answers: accountsOf() }, swapOf(NATIVE, USDH, 10n ** 17n));
    expect(await page.isVisible("#max")).toBe(false);
    await page.click("text=Connect Test Wallet");
    await soon(() => page.innerText("#sell-balance")).toMatch(/^Balance [\d.\u202f]+/);
    const sold = () => page.inputValue("#sell-amount");
    await page.click("#max");
    const units = parseUnits(await sold(), 18);
    const balance = BigInt(await rpc.call<Hex>("eth_getBalance", [account, "latest"]));
    expect(units).toBeLessThan(balance - 10n ** 14n);
    expect(units).toBeGreaterThan(balance - 10n ** 17n);
    await page.click("#turn");
    await soon(() => page.innerText("#sell-token")).toContain("USDH");
    await soon(() => page.innerText("#sell-balance")).toMatch(/^Balance/);
    await page.waitForSelector("#max:not([hidden])");
    await soon(async () => {
      await page.click("#max");
      return sold();
    }).toBe(formatUnits(await holds(USDH), 6));
  });

  it("does not ask the wallet for what the account does not hold", async () => {
    const { page, sent } = await open({ answers: accountsOf() }, swapOf(WETH, USDH, 50n * 10n ** 18n));
    await page.click("text=Connect Test Wallet");
    await soon(() => label(page)).toBe("Swap WETH");
    await page.click("#wallet-go");
    await soon(() => failed(page)).toMatch(/^The account holds too little: [\d.]+ WETH, and 50 WETH is sold\.$/);
    expect(sent).toEqual([]);
  });

  it("has the wallet change to the service's chain, or says to which", async () => {
    const owner: Owner = { answers: { ...accountsOf(), eth_chainId: "0x1", wallet_switchEthereumChain: null } };
    const { page, sent } = await open(owner, swapOf(NATIVE, USDH, 10n ** 17n));
    await page.click("text=Connect Test Wallet");
    await soon(() => label(page)).toBe("Swap ETH");
    await page.click("#wallet-go");
    await soon(() => failed(page)).toContain("Change it to chain 31337");
    expect(sent).toEqual([]);
    delete owner.answers.eth_chainId;
    await page.click("#wallet-go");
    await agree(page);
    await soon(() => says(page)).toMatch(/^Swapped/);
  });

  it("lets go of the wallet when told so, by the page or by the wallet", async () => {
    const { page } = await open({ answers: accountsOf() });
    await page.click("text=Connect Test Wallet");
    await soon(() => says(page)).toContain("Connected");
    await page.click("text=Disconnect");
    await soon(() => page.innerText("#wallet-buttons")).toContain("Connect Test Wallet");
    expect(await page.inputValue("#taker")).toBe("");
    await page.click("text=Connect Test Wallet");
    await soon(() => says(page)).toContain("Connected");
    await page.evaluate("tellWallet('accountsChanged', [])");
    await soon(() => page.innerText("#wallet-buttons")).toContain("Connect Test Wallet");
  });

  it("says that there is none where there is none", async () => {
    const page = await chrome.newPage();
    await page.goto(link);
    await page.waitForSelector('body[data-view="price"]');
    expect(await says(page)).toContain("No wallet is in this browser");
    expect(await page.isVisible("#wallet-go")).toBe(false);
  });
});
