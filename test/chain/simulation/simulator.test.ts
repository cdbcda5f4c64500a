import { encodeFunctionData, parseAbi } from "viem";
import { beforeAll, describe, expect, it } from "vitest";
import { type Clock, systemClock } from "../../../src/chain/rpc/clock.ts";
import { createProvider, type Provider } from "../../../src/chain/rpc/provider.ts";
import { RpcError, TransportError } from "../../../src/chain/rpc/provider-errors.ts";
import { createChainReader } from "../../../src/chain/rpc/reader.ts";
import { createAccountReader } from "../../../src/chain/simulation/accounts.ts";
import { createSimulator } from "../../../src/chain/simulation/simulator.ts";
import { type Address, NATIVE_TOKEN, toAddress, ZERO_ADDRESS } from "../../../src/domain/address.ts";
import { createLogger, type Logger } from "../../../src/ops/logger.ts";
import type { SimulationOutcome, Simulator } from "../../../src/quoting/ports.ts";
import { readOnce } from "../../../src/quoting/quote/read-once.ts";
import { FOREVER, routerSales } from "../../support/trades/router-sale.ts";
import { useDevnet } from "../../support/worlds/devnet.ts";
import { revertReason } from "../../support/worlds/revert-reason.ts";

const TAKER = toAddress(`0x${"7a".repeat(20)}`);
const abi = parseAbi([
  "function getPair(address, address) view returns (address)",
  "function deposit()",
  "function withdraw(uint256 amount)",
]);

const devnet = useDevnet();
const { head, amountOut, sale } = routerSales(devnet);
const logger = createLogger("silent");
let provider: Provider;
let tokens: ReadonlyMap<string, Address>;

beforeAll(() => {
  provider = createProvider({ url: devnet().rpcUrl, timeoutMs: 10_000, logger });
  tokens = new Map(devnet().tokens.map(({ symbol, address }) => [symbol, address]));
});

function simulator(
  options: { via?: Provider; holders?: readonly Address[]; logger?: Logger; clock?: Clock } = {},
): Simulator {
  const via = options.via ?? provider;
  const accounts = createAccountReader(createChainReader(via, devnet().chain));
  return createSimulator({
    provider: via,
    accounts,
    logger: options.logger ?? logger,
    clock: options.clock ?? systemClock,
    explainRevert: revertReason,
    holdersOf: () => options.holders ?? [],
  });
}

/** The devnet's node, and the methods that it was asked. */
function countedProvider() {
  const asked: string[] = [];
  const counting: Provider = {
    ...provider,
    request(method, params, options) {
      asked.push(method);
      return provider.request(method, params, options);
    },
  };
  return { asked, counting };
}

function done(outcome: SimulationOutcome): Extract<SimulationOutcome, { kind: "done" }> {
  if (outcome.kind !== "done") throw new Error(`${outcome.kind}: ${outcome.reason}`);
  return outcome;
}

async function pathsToWeth(): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [symbol, token] of tokens) {
    const args = [token, tokens.get("WETH")!] as const;
    const data = encodeFunctionData({ abi, functionName: "getPair", args });
    const to = devnet().contracts.uniswapV2Factory;
    const pair = await devnet().rpc<string>("eth_call", [{ to, data }, "latest"]);
    if (BigInt(pair) !== 0n) found.push(symbol);
  }
  return found;
}

describe("the simulator", () => {
  it("lends balance and approval to a stand-in, whatever the token returns", async () => {
    const symbols = await pathsToWeth();
    expect(symbols).toContain("USDR");
    expect(symbols.length).toBeGreaterThan(3);
    for (const sell of symbols) {
      const sellAmount = 12_345_678_901_234_567n;
      const outcome = done(await simulator().simulate(await sale({ sell, sellAmount })));
      expect(outcome.bought).toBe(await amountOut(sellAmount, [tokens.get(sell)!, tokens.get("WETH")!]));
      expect(outcome.sold).toBe(sellAmount);
      expect(outcome.gasLimit).toBeGreaterThan(outcome.gasUsed);
    }
  });

  it("tells the gas and the amounts that the real transaction has", async () => {
    await devnet().rolledBack(async () => {
      const sellAmount = 5_000_000n;
      const request = await sale({ sell: "USDH", sellAmount, taker: TAKER });
      await devnet().fund(NATIVE_TOKEN, TAKER, 10n ** 18n);
      await devnet().fund(request.terms.sellToken, TAKER, sellAmount);
      await devnet().approve(request.terms.sellToken, TAKER, request.allowanceTarget, sellAmount);
      const at = await head();
      const outcome = done(await simulator().simulate({ ...request, at }));
      const before = await devnet().balanceOf(request.terms.buyToken, TAKER);
      const { to, data } = request.transaction;
      const receipt = await devnet().sendTransaction(TAKER, { to, data, gas: outcome.gasLimit });
      expect(receipt.succeeded).toBe(true);
      expect((await devnet().balanceOf(request.terms.buyToken, TAKER)) - before).toBe(outcome.bought);
      expect(outcome.sold).toBe(sellAmount);
      // Nothing was lent: the same run, apart from the pair's accumulators, which another time writes.
      expect(Math.abs(Number(receipt.gasUsed - outcome.gasUsed))).toBeLessThan(10_000);
    });
  });

  it("leaves room in the gas limit, also where much is refunded after the fact", async () => {
    await devnet().rolledBack(async () => {
      // Writes twenty slots and clears them again: a fifth of the gas comes back.
      const to = toAddress(`0x${"5a".repeat(20)}`);
      const slots = Array.from({ length: 20 }, (_, slot) => slot.toString(16).padStart(2, "0"));
      await devnet().rpc("anvil_setCode", [to, `0x${slots.map((slot) => `600160${slot}55600060${slot}55`).join("")}`]);
      await devnet().fund(NATIVE_TOKEN, TAKER, 10n ** 18n);
      const request = await sale({ sell: "USDH", sellAmount: 5_000_000n, taker: TAKER });
      const outcome = done(await simulator().simulate({ ...request, transaction: { to, data: "0x", value: 0n } }));
      const gas = (outcome.gasLimit * 9n) / 10n;
      expect((await devnet().sendTransaction(TAKER, { to, data: "0x", gas })).succeeded).toBe(true);
    });
  });

  it("takes the whole difference when the taker has a part of balance and approval", async () => {
    await devnet().rolledBack(async () => {
      const usdr = tokens.get("USDR")!;
      await devnet().fund(NATIVE_TOKEN, TAKER, 10n ** 18n);
      await devnet().fund(usdr, TAKER, 10n);
      await devnet().approve(usdr, TAKER, devnet().contracts.uniswapV2Router, 7n);
      const outcome = done(await simulator().simulate(await sale({ sell: "USDR", sellAmount: 999n, taker: TAKER })));
      expect(outcome.bought).toBe(await amountOut(999n, [usdr, tokens.get("WETH")!]));
    });
  });

  it("borrows from a holder outside the route where storage cannot be overridden", async () => {
    const noOverrides: Provider = {
      ...provider,
      request(method, params, options) {
        if (params.length > 2) return Promise.reject(new RpcError(-32602, "too many arguments"));
        return provider.request(method, params, options);
      },
    };
    const request = await sale({ sell: "USDR", sellAmount: 1_000_000n });
    const lender = simulator({ via: noOverrides, holders: [devnet().whale] });
    const outcome = done(await lender.simulate(request));
    expect(outcome.bought).toBe(await amountOut(1_000_000n, [request.terms.sellToken, tokens.get("WETH")!]));
    const refused = await lender.simulate({ ...request, avoidHolders: [devnet().whale] });
    expect(refused).toEqual({ kind: "incomplete", reason: "the sold token could not be lent to the sender" });
  });

  it("wraps and unwraps the native token, for takers without any and for rich ones", async () => {
    const weth = tokens.get("WETH")!;
    for (const taker of [undefined, TAKER, devnet().whale]) {
      const terms = { minBuyAmount: 1n, recipient: ZERO_ADDRESS, deadline: FOREVER, maxSellAmount: 10n ** 15n };
      const common = { taker, allowanceTarget: ZERO_ADDRESS, avoidHolders: [weth], at: await head() };
      const wrap = await simulator().simulate({
        ...common,
        transaction: { to: weth, data: encodeFunctionData({ abi, functionName: "deposit" }), value: 10n ** 15n },
        terms: { ...terms, sellToken: NATIVE_TOKEN, buyToken: weth },
      });
      expect(done(wrap)).toMatchObject({ bought: 10n ** 15n, sold: 10n ** 15n });
      const data = encodeFunctionData({ abi, functionName: "withdraw", args: [10n ** 15n] });
      const unwrap = await simulator().simulate({
        ...common,
        transaction: { to: weth, data, value: 0n },
        terms: { ...terms, sellToken: weth, buyToken: NATIVE_TOKEN },
      });
      expect(done(unwrap)).toMatchObject({ bought: 10n ** 15n, sold: 10n ** 15n });
    }
  });

  it("has the node estimate the gas where it cannot simulate, unless an approval is missing", async () => {
    const via: Provider = {
      ...provider,
      request: (method, params, options) =>
        method === "eth_simulateV1"
          ? Promise.reject(new RpcError(-32601, "the method does not exist"))
          : provider.request(method, params, options),
    };
    const weth = tokens.get("WETH")!;
    const terms = { minBuyAmount: 1n, recipient: ZERO_ADDRESS, deadline: FOREVER, maxSellAmount: 10n ** 15n };
    const deposit = {
      ...{ taker: TAKER, allowanceTarget: ZERO_ADDRESS, avoidHolders: [weth], at: await head() },
      transaction: { to: weth, data: encodeFunctionData({ abi, functionName: "deposit" }), value: 10n ** 15n },
      terms: { ...terms, sellToken: NATIVE_TOKEN, buyToken: weth },
    };
    const { gasUsed } = done(await simulator().simulate(deposit));
    const estimated = await simulator({ via }).simulate(deposit);
    if (estimated.kind !== "incomplete") throw new Error(`it is ${estimated.kind}`);
    expect(estimated.gasLimit).toBeGreaterThan((gasUsed * 5n) / 4n);
    expect(estimated.gasLimit).toBeLessThan(2n * gasUsed + 25_000n);
    const least = await simulator({ via }).simulate({ ...deposit, mostGas: gasUsed });
    expect(least).toMatchObject({ kind: "incomplete", gasLimit: gasUsed });
    const unapproved = await sale({ sell: "USDH", sellAmount: 1_000n, taker: TAKER });
    const outcome = await simulator({ via }).simulate(unapproved);
    expect([outcome.kind, "gasLimit" in outcome]).toEqual(["incomplete", false]);
  });

  it.each([
    ["is silent", () => Promise.reject(new TransportError("no answer in time"))],
    ["cannot simulate", () => Promise.reject(new RpcError(-32601, "no such method"))],
    ["talks nonsense", () => Promise.resolve({ calls: "none" })],
  ])("is incomplete when the node %s", async (_, request) => {
    const broken: Provider = { ...provider, request };
    const outcome = await simulator({ via: broken }).simulate(
      await sale({ sell: "USDH", sellAmount: 1n, taker: TAKER }),
    );
    expect(outcome.kind).toBe("incomplete");
  });

  it("logs why it says nothing: each reason once a minute, and not in a node's own words", async () => {
    const lines: Record<string, unknown>[] = [];
    const told = createLogger("info", { write: (line) => void lines.push(JSON.parse(line)) });
    let elapsed = 0;
    const clock: Clock = { ...systemClock, elapsed: () => elapsed };
    const refusal = new RpcError(-32601, "the key 0123456789abcdef has no eth_simulateV1");
    let fault: Error | undefined;
    const via: Provider = {
      ...provider,
      request: (method, params, options) =>
        fault === undefined ? provider.request(method, params, options) : Promise.reject(fault),
    };
    const one = simulator({ via, logger: told, clock });
    const bare = await sale({ sell: "USDH", sellAmount: 1_000n, taker: TAKER });
    const tooFar = { ...bare, mostGas: 30_000n };
    for (const at of [0, 59_999, 60_000]) {
      elapsed = at;
      fault = undefined;
      expect(await one.simulate(tooFar)).toMatchObject({ kind: "incomplete", needsMoreGas: true });
      fault = refusal;
      for (let times = 0; times < 3; times += 1) await one.simulate(bare);
    }
    const { sellToken, buyToken } = bare.terms;
    const line = (reason: string) => ({ level: 40, msg: "a simulation could not be run", reason, sellToken, buyToken });
    const minute = [
      line("it needs more than the 30000 gas it may have"),
      line("the node does not have the method (code -32601)"),
    ];
    expect(lines).toMatchObject([...minute, ...minute]);
  });

  it("hands the caller's deadline to everything that it asks of the node", async () => {
    const deadlineMs = Date.now() + 60_000;
    const methods = new Set<string>();
    const recording: Provider = {
      ...provider,
      request(method, params, options) {
        methods.add(options?.deadlineMs === deadlineMs ? method : `${method} without a deadline`);
        return provider.request(method, params, options);
      },
    };
    const request = await sale({ sell: "USDR", sellAmount: 1_000_000n, taker: TAKER });
    done(await simulator({ via: recording }).simulate({ ...request, deadlineMs }));
    methods.delete("eth_getCode without a deadline");
    expect([...methods].sort()).toEqual(["eth_call", "eth_createAccessList", "eth_simulateV1"]);
  });

  it("asks the node nothing more for a caller that has left, and says nothing of it", async () => {
    const lines: unknown[] = [];
    const told = createLogger("info", { write: (line) => void lines.push(line) });
    const caller = new AbortController();
    const asked: string[] = [];
    const leaving: Provider = {
      ...provider,
      request(method, params, options) {
        asked.push(method);
        caller.abort();
        return provider.request(method, params, options);
      },
    };
    const request = { ...(await sale({ sell: "USDR", sellAmount: 1_000_000n, taker: TAKER })), signal: caller.signal };
    const one = simulator({ via: leaving, logger: told });
    expect(await one.simulate(request)).toMatchObject({ kind: "incomplete" });
    expect(asked).toEqual(["eth_simulateV1"]);
    expect(await one.simulate(request)).toMatchObject({ kind: "incomplete" });
    expect(asked).toHaveLength(1);
    expect(lines).toEqual([]);
  });

  it("asks the node once for a taker that has all it needs, where one like it ran before, with the same outcome", async () => {
    await devnet().rolledBack(async () => {
      const usdr = tokens.get("USDR")!;
      const spender = devnet().contracts.uniswapV2Router;
      await devnet().fund(NATIVE_TOKEN, TAKER, 10n ** 18n);
      await devnet().fund(usdr, TAKER, 10_000n);
      await devnet().approve(usdr, TAKER, spender, 9_000n);
      const { asked, counting } = countedProvider();
      const one = simulator({ via: counting });
      const accounts = readOnce({
        balanceAndAllowance: () => Promise.reject(new Error("it is shown by the run")),
      });
      const run = async (sellAmount: bigint, options: { least?: bigint } = {}) => {
        const request = await sale({ sell: "USDR", sellAmount, taker: TAKER, ...options });
        asked.length = 0;
        return { request, outcome: await one.simulate({ ...request, accounts }) };
      };
      const first = await run(4_000n);
      expect(asked).toEqual(["eth_simulateV1", "eth_simulateV1"]);
      const has = accounts.balanceAndAllowance({ token: usdr, owner: TAKER, spender }, first.request.at);
      expect(await has).toEqual({ balance: 10_000n, allowance: 9_000n });
      const again = await run(4_000n);
      expect(asked).toEqual(["eth_simulateV1"]);
      expect(again.outcome).toEqual(first.outcome);
      const more = await run(4_001n);
      expect(asked).toEqual(["eth_simulateV1"]);
      expect(more.outcome).toEqual(done(await simulator().simulate(more.request)));
      // One that fails is run without a limit before it is believed.
      expect((await run(4_000n, { least: 10n ** 30n })).outcome.kind).toBe("reverted");
      expect(asked).toEqual(["eth_simulateV1", "eth_simulateV1"]);
      // More than is approved: that is lent, as without a run before.
      const tooMuch = await run(9_500n);
      expect(tooMuch.outcome).toEqual(done(await simulator().simulate(tooMuch.request)));
    });
  });

  it("takes the gas of others' transactions for that of a new taker's, with the same outcome", async () => {
    const { asked, counting } = countedProvider();
    const one = simulator({ via: counting });
    const runOf = async (taker: string) => {
      const request = await sale({ sell: "USDR", sellAmount: 4_000n, taker: toAddress(`0x${taker.repeat(20)}`) });
      asked.length = 0;
      const outcome = await one.simulate(request);
      return { request, outcome, runs: asked.filter((method) => method === "eth_simulateV1").length };
    };
    const first = await runOf("7c");
    const second = await runOf("7d");
    // The first shows what the taker lacks; the last one of the first taker proves its gas limit.
    expect([first.runs, second.runs]).toEqual([3, 2]);
    expect(second.outcome).toEqual(done(await simulator().simulate(second.request)));
  });

  it("shows what one does with gas enough, whatever its like has used before", async () => {
    await devnet().rolledBack(async () => {
      // Pays 2 wei where more gas is left than its calldata says, else 1.
      const to = toAddress(`0x${"5b".repeat(20)}`);
      await devnet().rpc("anvil_setCode", [to, "0x60006000600060006000355a11600101335af100"]);
      for (const account of [TAKER, to]) await devnet().fund(NATIVE_TOKEN, account, 10n ** 18n);
      const sold = await sale({ sell: "USDH", sellAmount: 0n, taker: TAKER });
      const asked = (gas: bigint) => ({
        ...{ ...sold, terms: { ...sold.terms, buyToken: NATIVE_TOKEN }, allowanceTarget: ZERO_ADDRESS },
        transaction: { to, data: `0x${gas.toString(16).padStart(64, "0")}` as const, value: 0n },
        isExpected: ({ bought }: { readonly bought: bigint }) => bought === 2n,
      });
      let isShy = false;
      const shy: Provider = {
        ...provider,
        request(method, params, options) {
          const isRefused = isShy && method === "eth_simulateV1" && !JSON.stringify(params).includes('"gas"');
          return isRefused
            ? Promise.reject(new RpcError(-32000, "execution timeout"))
            : provider.request(method, params, options);
        },
      };
      const one = simulator({ via: shy });
      expect(done(await one.simulate(asked(0n))).bought).toBe(2n);
      for (let times = 0; times < 2; times += 1)
        expect(await one.simulate(asked(60_000n))).toEqual(done(await simulator().simulate(asked(60_000n))));
      // A node that refuses the run without a limit is still asked for its estimate.
      await one.simulate(asked(0n));
      isShy = true;
      expect(await one.simulate(asked(60_000n))).toMatchObject({ kind: "incomplete", gasLimit: expect.any(BigInt) });
    });
  });

  it("lets so many run at a time, and the rest in their turn", async () => {
    let running = 0;
    let most = 0;
    const counting: Provider = {
      ...provider,
      async request(method, params, options) {
        running += 1;
        most = Math.max(most, running);
        return provider.request(method, params, options).finally(() => {
          running -= 1;
        });
      },
    };
    const accounts = createAccountReader(createChainReader(counting, devnet().chain));
    const narrow = createSimulator({
      provider: counting,
      accounts,
      logger,
      clock: systemClock,
      explainRevert: revertReason,
      maxInFlight: 2,
    });
    const request = await sale({ sell: "USDH", sellAmount: 1_000_000n });
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => narrow.simulate(request)));
    expect(outcomes.map(({ kind }) => kind)).toEqual(Array.from({ length: 6 }, () => "done"));
    expect(most).toBe(2);
  });
});
