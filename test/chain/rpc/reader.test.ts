import { encodeErrorResult, parseAbi, size } from "viem";
import { beforeAll, describe, expect, it } from "vitest";
import { createFakeChain } from "../../../fixtures/chain/fake-chain.ts";
import { readTokenText } from "../../../src/chain/chains/token-text.ts";
import { createNodes } from "../../../src/chain/node/nodes.ts";
import { FAILING_GAS } from "../../../src/chain/rpc/calls-by-code.ts";
import { systemClock } from "../../../src/chain/rpc/clock.ts";
import { type Header, parseHeader, quantityParameter } from "../../../src/chain/rpc/codec.ts";
import { inParallel } from "../../../src/chain/rpc/in-parallel.ts";
import { createProvider, type Provider } from "../../../src/chain/rpc/provider.ts";
import {
  AnswerTooLargeError,
  BlockGoneError,
  MalformedAnswerError,
  RpcError,
  TransportError,
} from "../../../src/chain/rpc/provider-errors.ts";
import { createChainReader } from "../../../src/chain/rpc/reader.ts";
import { createAccountReader } from "../../../src/chain/simulation/accounts.ts";
import { type Address, type Hex, NATIVE_TOKEN, toAddress } from "../../../src/domain/address.ts";
import { createLogger } from "../../../src/ops/logger.ts";
import { createSources } from "../../../src/venues/index.ts";
import { useDevnet } from "../../support/worlds/devnet.ts";

const devnet = useDevnet();
const nobody = toAddress(`0x${"12".repeat(20)}`);
let provider: Provider;
let at: Header;

beforeAll(async () => {
  provider = createProvider({ url: devnet().rpcUrl, timeoutMs: 10_000, logger: createLogger("silent") });
  at = parseHeader(await devnet().rpc("eth_getBlockByNumber", ["latest", false]));
});

function counting(inner: Provider): { provider: Provider; methods: string[] } {
  const methods: string[] = [];
  return {
    methods,
    provider: {
      ...inner,
      request(method, params, options) {
        methods.push(method);
        return inner.request(method, params, options);
      },
    },
  };
}

describe("calls", () => {
  const decimals = (token: Address) => ({ to: token, data: "0x313ce567" as Hex });
  const broken = () => ({ to: devnet().contracts.uniswapV2Factory, data: "0xffffffff" as Hex });

  it("answers in order, with undefined for what reverts and what has no code", async () => {
    const tokens = devnet().tokens;
    const { provider: counted, methods } = counting(provider);
    const reader = createChainReader(counted, devnet().chain);
    const calls = [broken(), ...tokens.map(({ address }) => decimals(address)), decimals(nobody)];
    const answers = await reader.calls(calls, at);
    expect(answers.map((answer) => answer && Number(answer))).toEqual([
      undefined,
      ...tokens.map((token) => token.decimals),
      undefined,
    ]);
    // One batch, and the failure once more alone.
    expect(methods).toEqual(["eth_getCode", "eth_call", "eth_call"]);
  });

  it("does the same without Multicall3", async () => {
    const tokens = devnet().tokens;
    const reader = createChainReader(provider, { ...devnet().chain, multicall3: nobody });
    const answers = await reader.calls([broken(), ...tokens.map(({ address }) => decimals(address))], at);
    expect(answers.slice(1).map(Number)).toEqual(tokens.map((token) => token.decimals));
    expect(answers[0]).toBeUndefined();
  });

  it("takes few requests without Multicall3, or with another contract at its address", async () => {
    const { provider: counted, methods } = counting(provider);
    const many = Array.from({ length: 100 }, () => devnet().tokens.map(({ address }) => decimals(address))).flat();
    const expected = many.map((_, index) => devnet().tokens[index % devnet().tokens.length]!.decimals);
    for (const multicall3 of [nobody, devnet().chain.wrappedNative]) {
      methods.length = 0;
      const reader = createChainReader(counted, { ...devnet().chain, multicall3 });
      const answers = await reader.calls(many, at);
      expect(answers.map(Number)).toEqual(expected);
      expect(methods.length).toBeLessThan(many.length / 50);
    }
  });

  it("makes each call by itself where the node runs no creation code either", async () => {
    const without: Provider = {
      ...provider,
      request(method, params, options) {
        const [call] = params as [{ readonly to?: Address } | undefined];
        const isCode = method === "eth_call" && call?.to === undefined;
        return isCode ? Promise.reject(new RpcError(-32000, "no code")) : provider.request(method, params, options);
      },
    };
    const reader = createChainReader(without, { ...devnet().chain, multicall3: nobody });
    const answers = await reader.calls(
      devnet().tokens.map(({ address }) => decimals(address)),
      at,
    );
    expect(answers.map(Number)).toEqual(devnet().tokens.map((token) => token.decimals));
  });

  it("splits what is too much for one call", async () => {
    const reader = createChainReader(provider, devnet().chain);
    const token = devnet().tokens[1]!;
    const answers = await reader.calls(
      Array.from({ length: 1_001 }, () => decimals(token.address)),
      at,
    );
    expect(answers.length).toBe(1_001);
    expect(new Set(answers.map(Number))).toEqual(new Set([token.decimals]));
  });

  it("throws for a block that the node does not know", async () => {
    const reader = createChainReader(provider, devnet().chain);
    const gone = { ...at, hash: `0x${"11".repeat(32)}` as Hex };
    const calls = [decimals(devnet().tokens[0]!.address), decimals(devnet().tokens[1]!.address)];
    await expect(reader.calls(calls, gone)).rejects.toThrow(RpcError);
    await expect(reader.calls(calls.slice(1), gone)).rejects.toThrow(RpcError);
  });

  it.each([
    ["burns all gas", "0x5b5f56"],
    ["is no operation", "0xfe"],
    ["wants memory without end", "0x5f5f19525b"],
    ["wants more memory than there is gas for", "0x5f630fffffff52"],
    ["reads beyond what was returned", "0x60205f5f3e"],
    ["fills the stack", "0x5b5f5f56"],
    ["empties the stack", "0x50"],
    ["jumps nowhere", "0x60ff56"],
    ["returns much", "0x623d09005ff3"],
    ["reverts with much", "0x623d09005ffd"],
  ])("a contract that %s takes no other's answer away", async (_what, code) => {
    await devnet().rpc("anvil_setCode", [nobody, code]);
    await devnet().rpc("evm_mine");
    const head = parseHeader(await devnet().rpc("eth_getBlockByNumber", ["latest", false]));
    const { address, decimals: told } = devnet().tokens[0]!;
    const reader = createChainReader(provider, devnet().chain);
    const calls = [decimals(address), decimals(nobody), decimals(address), decimals(nobody), decimals(address)];
    const answers = await reader.calls(calls, head);
    expect([0, 2, 4].map((index) => Number(answers[index]))).toEqual([told, told, told]);
    const alone = await reader.calls([decimals(nobody)], head);
    if (!code.endsWith("f3")) expect([answers[1], answers[3], ...alone]).toEqual([undefined, undefined, undefined]);
    await devnet().rpc("anvil_setCode", [nobody, "0x"]);
  });

  it.each(["header not found", "missing trie node", "state is unavailable", "unknown block"])(
    "takes a contract that reverts with the words of a node for one that reverts: %s",
    async (words) => {
      const contract = toAddress(`0x${"bad".repeat(13)}0`);
      const reason = encodeErrorResult({ abi: parseAbi(["error Error(string)"]), errorName: "Error", args: [words] });
      const bytes = size(reason).toString(16).padStart(4, "0");
      // Copies the reason out of the code and reverts with it.
      await devnet().rpc("anvil_setCode", [contract, `0x61${bytes}600e60003961${bytes}6000fd${reason.slice(2)}`]);
      await devnet().rpc("evm_mine", []);
      const now = parseHeader(await devnet().rpc("eth_getBlockByNumber", ["latest", false]));
      const call = { to: contract, data: "0x313ce567" } as const;
      await expect(provider.request("eth_call", [call, "latest"])).rejects.toThrow(words);
      const logger = createLogger("silent");
      const nodes = createNodes({ providers: [provider], record: devnet().chain, clock: systemClock, logger });
      const [token] = devnet().tokens;
      const answers = await createChainReader(nodes.followed, devnet().chain).calls(
        [call, decimals(token!.address)],
        now,
      );
      expect(answers[0]).toBeUndefined();
      expect(Number(answers[1])).toBe(token!.decimals);
      expect(nodes.status()).toMatchObject([{ state: "well", errorRate: 0 }]);
    },
  );

  it.each([
    [2, "does not believe a node that refuses a call twice in a row"],
    [3, "believes one that refuses it three times, and others between"],
  ])("%i: %s", async (refusals) => {
    const [token] = devnet().tokens;
    const call = decimals(token!.address);
    let left = refusals;
    const hesitant: Provider = {
      ...provider,
      async request(method, params, options) {
        const [asked] = params as [Partial<typeof call>];
        if (asked.to === call.to && left-- > 0) throw new RpcError(-32000, "an error");
        return provider.request(method, params, options);
      },
    };
    const [answer] = await createChainReader(hesitant, devnet().chain).calls([call], at);
    expect(answer && Number(answer)).toBe(refusals === 2 ? token!.decimals : undefined);
  });

  it("makes calls apart that burn the gas of all others, until they work", async () => {
    const burner = toAddress(`0x${"b0".repeat(20)}`);
    const head = async (code: Hex) => {
      await devnet().rpc("anvil_setCode", [burner, code]);
      await devnet().rpc("evm_mine", []);
      return parseHeader(await devnet().rpc("eth_getBlockByNumber", ["latest", false]));
    };
    const { provider: counted, methods } = counting(provider);
    const gas: unknown[] = [];
    const noting: Provider = {
      ...counted,
      request(method, params, options) {
        const [call] = params as [{ readonly gas?: Hex }];
        if (call.gas !== undefined) gas.push(call.gas);
        return counted.request(method, params, options);
      },
    };
    const reader = createChainReader(noting, devnet().chain);
    const honest = Array.from({ length: 10 }, () => devnet().tokens.map(({ address }) => decimals(address))).flat();
    const calls = [...honest, decimals(burner), broken(), ...honest];
    const right = honest.map((_, index) => devnet().tokens[index % devnet().tokens.length]!.decimals);
    const read = async (block: Header) => {
      methods.length = 0;
      gas.length = 0;
      const answers = await reader.calls(calls, block);
      return answers.map((answer) => answer && Number(answer));
    };
    // For ever: JUMPDEST PUSH1 0 JUMP.
    const burning = await head("0x5b600056");
    for (let time = 0; time < 2; time++)
      expect(await read(burning)).toEqual([...right, undefined, undefined, ...right]);
    // Two batches, and the two that fail, tried together with gas of their own.
    expect(methods).toEqual(["eth_call", "eth_call", "eth_call"]);
    expect(gas).toEqual([quantityParameter(FAILING_GAS)]);
    // Answers 7: PUSH1 7 PUSH1 0 MSTORE PUSH1 32 PUSH1 0 RETURN.
    const working = await head("0x600760005260206000f3");
    for (let time = 0; time < 3; time++) expect(await read(working)).toEqual([...right, 7, undefined, ...right]);
    expect(methods.length).toBe(3);
    expect(gas).toEqual(["0x4c4b40"]);
  });

  it("gives all gas to a call that takes more than failing ones get, whatever burns its gas beside it", async () => {
    const [heavy, burner] = [toAddress(`0x${"b2".repeat(20)}`), toAddress(`0x${"b3".repeat(20)}`)];
    // Counts down from 350,000, which takes 9.1 million gas: PUSH3, JUMPDEST PUSH1 1 SWAP1 SUB DUP1 PUSH1 4 JUMPI. Then it answers 7.
    await devnet().rpc("anvil_setCode", [heavy, "0x620557305b6001900380600457600760005260206000f3"]);
    await devnet().rpc("anvil_setCode", [burner, "0x5b600056"]);
    const { provider: counted, methods } = counting(provider);
    const reader = createChainReader(counted, devnet().chain);
    const { address, decimals: told } = devnet().tokens[0]!;
    const mined = async () => {
      await devnet().rpc("evm_mine", []);
      return parseHeader(await devnet().rpc("eth_getBlockByNumber", ["latest", false]));
    };
    const calls = [decimals(burner), decimals(heavy), decimals(address)];
    const BLOCKS = 20;
    for (let block = 0; block < BLOCKS; block++) {
      const answers = await reader.calls(calls, await mined());
      expect(answers.map((answer) => answer && Number(answer))).toEqual([undefined, 7, told]);
    }
    // Multicall3's code. A batch and the burner alone with each block; at first those that fail together, then alone.
    expect(methods.length).toBeLessThanOrEqual(1 + 2 * BLOCKS + 3);
  });

  it("is what a contract says at the block, whatever a stranger does when it is asked", async () => {
    const [stranger, honest] = [toAddress(`0x${"a1".repeat(20)}`), toAddress(`0x${"a2".repeat(20)}`)];
    // Without calldata it writes 7 into its first slot, with calldata it answers what stands there:
    // CALLDATASIZE PUSH1 8 JUMPI PUSH1 7 PUSH0 SSTORE STOP JUMPDEST PUSH0 SLOAD PUSH0 MSTORE PUSH1 32 PUSH0 RETURN.
    await devnet().rpc("anvil_setCode", [honest, "0x3660095760075f55005b5f545f5260205ff3"]);
    // Calls it without calldata: PUSH0 × 5, PUSH20, GAS, CALL, STOP.
    await devnet().rpc("anvil_setCode", [stranger, `0x5f5f5f5f5f73${honest.slice(2)}5af100`]);
    await devnet().rpc("evm_mine", []);
    const head = parseHeader(await devnet().rpc("eth_getBlockByNumber", ["latest", false]));
    const reader = createChainReader(provider, devnet().chain);
    const asked = { to: stranger, data: "0x313ce567" as Hex };
    const [before, after] = [decimals(honest), { to: honest, data: "0x12345678" as Hex }];
    const read = async (isForeignCall: { isForeignCall?: true }) => {
      const answers = await reader.calls([before, { ...asked, ...isForeignCall }, after], head);
      return [answers[0], answers[2]].map(Number);
    };
    expect(await read({})).toEqual([0, 7]);
    expect(await read({ isForeignCall: true })).toEqual([0, 0]);
  });

  it("asks for much that fails in few requests, and for what burns in a bounded number", async () => {
    const burners = Array.from({ length: 20 }, (_, index) => toAddress(`0x${"b1".repeat(19)}${index + 10}`));
    // For ever: JUMPDEST PUSH1 0 JUMP.
    for (const burner of burners) await devnet().rpc("anvil_setCode", [burner, "0x5b600056"]);
    await devnet().rpc("evm_mine", []);
    const head = parseHeader(await devnet().rpc("eth_getBlockByNumber", ["latest", false]));
    const { provider: counted, methods } = counting(provider);
    const reader = createChainReader(counted, devnet().chain);
    const { address, decimals: told } = devnet().tokens[0]!;
    const absent = Array.from({ length: 350 }, (_, index) => ({
      to: devnet().contracts.uniswapV2Factory,
      data: `0xffffffff${index.toString(16).padStart(64, "0")}` as Hex,
    }));
    const read = async (calls: readonly { to: Address; data: Hex }[]) => {
      methods.length = 0;
      const answers = await reader.calls([decimals(address), ...calls, decimals(address)], head);
      expect(answers.map((answer) => answer && Number(answer))).toEqual([told, ...calls.map(() => undefined), told]);
      return methods.filter((method) => method === "eth_call").length;
    };
    // A batch, and those that fail by 200, at first and whenever they are asked for again.
    expect(await read(absent)).toBe(3);
    expect(await read(absent)).toBe(3);
    await read(burners.map(decimals));
    // As many of the burners in a request as their gas allows.
    expect(await read(burners.map(decimals))).toBeLessThanOrEqual(4);
  });

  it("takes a call for one that fails whose answer is larger than is read", async () => {
    const [token] = devnet().tokens;
    const bomb = decimals(nobody);
    const large: Provider = {
      ...provider,
      async request(method, params, options) {
        const text = JSON.stringify(params);
        if (text.includes(nobody.slice(2))) throw new AnswerTooLargeError("answer above all bounds");
        return provider.request(method, params, options);
      },
    };
    const answers = await createChainReader(large, devnet().chain).calls([decimals(token!.address), bomb], at);
    expect(answers.map((answer) => answer && Number(answer))).toEqual([token!.decimals, undefined]);
  });

  it("believes a node that a call fails, whatever its words, where it answers others", async () => {
    const bad = decimals(nobody);
    const [error, limit] = [
      new RpcError(-32000, "return data out of bounds"),
      new RpcError(-32005, "too many requests"),
    ];
    let isDown = false;
    let isLimited = false;
    const strict: Provider = {
      ...provider,
      request(method, params, options) {
        const [call] = params as [{ to: Address; data: Hex }];
        if (method === "eth_call" && (isDown || call.data.includes(nobody.slice(2)) || call.to === nobody))
          return Promise.reject(isLimited ? limit : error);
        return provider.request(method, params, options);
      },
    };
    const { address, decimals: told } = devnet().tokens[0]!;
    const reader = createChainReader(strict, devnet().chain);
    const answers = await reader.calls([decimals(address), bad, decimals(address)], at);
    expect(answers.map((answer) => answer && Number(answer))).toEqual([told, undefined, told]);
    isLimited = true;
    await expect(reader.calls([decimals(address), bad], at)).rejects.toThrow(limit);
    [isLimited, isDown] = [false, true];
    await expect(reader.calls([decimals(address), bad], at)).rejects.toThrow(error);
  });

  it.each(["0x", "0x00", `0x${"ff".repeat(64)}`, "nonsense", null, 5])("does not believe %o", async (answer) => {
    const lying: Provider = {
      ...provider,
      request: async (method) => (method === "eth_getCode" ? "0x6382ad56cb" : answer),
    };
    const reader = createChainReader(lying, devnet().chain);
    await expect(reader.calls([decimals(nobody), decimals(nobody)], at)).rejects.toThrow(MalformedAnswerError);
  });
});

it("work on many items in parallel begins with no other once it has failed for one", async () => {
  const begun: number[] = [];
  const items = Array.from({ length: 100 }, (_, index) => index);
  const failing = inParallel(items, 4, async (item) => {
    begun.push(item);
    await new Promise(setImmediate);
    if (item === 5) throw new TransportError("no answer");
  });
  await expect(failing).rejects.toThrow("no answer");
  for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
  expect(begun.length).toBeLessThan(12);
});

describe("logs", () => {
  const source = () => createSources(createFakeChain({ seed: 1 }).record)[1]!;

  it("are complete however small the ranges are that the node takes", async () => {
    const fake = createFakeChain({ seed: 31 });
    for (let block = 0; block < 60; block++) fake.mine({ pairs: block % 3 });
    const to = { ...fake.head };
    const { addresses, topics } = source().creation!;
    const filter = { addresses, topics, fromBlock: 0n, to };
    const whole = await createChainReader(fake.provider, fake.record).logs(filter);
    expect(whole.length).toBe(fake.head.pairs.size);
    let refused = 0;
    const refusals = [
      new RpcError(-32602, "range too wide"),
      new TransportError("too slow"),
      new AnswerTooLargeError("too many logs"),
    ];
    const narrow: Provider = {
      ...fake.provider,
      request(method, params, options) {
        const [range] = params as [{ fromBlock: Hex; toBlock: Hex }];
        if (method === "eth_getLogs" && Number(range.toBlock) - Number(range.fromBlock) >= 3) {
          refused += 1;
          return Promise.reject(refusals[refused % 3]);
        }
        return fake.provider.request(method, params, options);
      },
    };
    expect(await createChainReader(narrow, fake.record).logs(filter)).toEqual(whole);
    expect(refused).toBeGreaterThan(3);
  });

  it("are asked for beyond a node's limit only now and then", async () => {
    const fake = createFakeChain({ seed: 33 });
    for (let block = 0; block < 2_000; block++) fake.mine({ trades: 0 });
    const asked = { refused: 0, answered: 0 };
    const narrow: Provider = {
      ...fake.provider,
      async request(method, params, options) {
        const [range] = params as [{ fromBlock: Hex; toBlock: Hex }];
        if (method !== "eth_getLogs") return fake.provider.request(method, params, options);
        const isWide = Number(range.toBlock) - Number(range.fromBlock) >= 10;
        asked[isWide ? "refused" : "answered"] += 1;
        if (isWide) throw new RpcError(-32602, "range too wide");
        return [];
      },
    };
    const { addresses, topics } = source().creation!;
    await createChainReader(narrow, fake.record).logs({ addresses, topics, fromBlock: 0n, to: { ...fake.head } });
    expect(asked.answered).toBeGreaterThan(200);
    expect(asked.refused).toBeLessThan(asked.answered / 8);
  });

  it("come however many there are in an answer", async () => {
    const fake = createFakeChain({ seed: 34 });
    const { addresses, topics } = source().creation!;
    const [address] = addresses as readonly [Address];
    const block = { blockHash: fake.head.hash, blockNumber: "0x0", data: "0x", address, topics };
    const many = Array.from({ length: 140_000 }, (_, index) => ({ ...block, logIndex: `0x${index.toString(16)}` }));
    const dense: Provider = {
      ...fake.provider,
      request: async (method, ...rest) => (method === "eth_getLogs" ? many : fake.provider.request(method, ...rest)),
    };
    const filter = { addresses, topics, fromBlock: 0n, to: { ...fake.head } };
    expect(await createChainReader(dense, fake.record).logs(filter)).toHaveLength(many.length);
  });

  it("are refused when the range's end is not the chain's any more", async () => {
    const fake = createFakeChain({ seed: 32 });
    for (let block = 0; block < 5; block++) fake.mine();
    const { addresses, topics } = source().creation!;
    const to = { ...fake.head };
    fake.reorganize(2, 3);
    const reader = createChainReader(fake.provider, fake.record);
    await expect(reader.logs({ addresses, topics, fromBlock: 0n, to })).rejects.toThrow(BlockGoneError);
  });

  it.each([
    ["of another contract", { address: `0x${"ab".repeat(20)}` }],
    ["of a block outside the range", { blockNumber: "0xffff" }],
    ["of another event", { topics: [`0x${"00".repeat(32)}`] }],
    ["of another chain", { blockHash: `0x${"00".repeat(32)}`, blockNumber: "0x0" }],
    ["a removed log", { removed: true }],
    ["not as the protocol has it", { data: "0x123" }],
  ])("are refused when one is %s", async (message, change) => {
    const fake = createFakeChain({ seed: 33 });
    const { addresses, topics } = source().creation!;
    const lying: Provider = {
      ...fake.provider,
      async request(method, params, options) {
        const answer = await fake.provider.request(method, params, options);
        return method === "eth_getLogs" ? (answer as object[]).map((log) => ({ ...log, ...change })) : answer;
      },
    };
    const reader = createChainReader(lying, fake.record);
    await expect(reader.logs({ addresses, topics, fromBlock: 0n, to: fake.head })).rejects.toThrow(message);
  });

  it("are refused out of order and twice", async () => {
    const fake = createFakeChain({ seed: 34 });
    const { addresses, topics } = source().creation!;
    for (const spoil of [(logs: object[]) => logs.toReversed(), (logs: object[]) => [...logs, logs.at(-1)]]) {
      const lying: Provider = {
        ...fake.provider,
        async request(method, params, options) {
          const answer = await fake.provider.request(method, params, options);
          return method === "eth_getLogs" ? spoil(answer as object[]) : answer;
        },
      };
      const reader = createChainReader(lying, fake.record);
      await expect(reader.logs({ addresses, topics, fromBlock: 0n, to: fake.head })).rejects.toThrow("out of order");
    }
  });
});

describe("accounts", () => {
  it("tells balance and allowance, and the native token's balance", async () => {
    const { whale, contracts, chain } = devnet();
    const token = devnet().tokens[1]!.address;
    const accounts = createAccountReader(createChainReader(provider, chain));
    const spender = contracts.uniswapV2Router;
    const held = await accounts.balanceAndAllowance({ token, owner: whale, spender }, at);
    expect(held.balance).toBe(await devnet().balanceOf(token, whale));
    expect(held.allowance).toBeGreaterThanOrEqual(0n);
    const native = await accounts.balanceAndAllowance({ token: NATIVE_TOKEN, owner: whale, spender }, at);
    expect(native.balance).toBe(await devnet().balanceOf(NATIVE_TOKEN, whale));
    expect(native.allowance).toBe((1n << 256n) - 1n);
    await expect(accounts.balanceAndAllowance({ token: nobody, owner: whale, spender: nobody }, at)).rejects.toThrow(
      MalformedAnswerError,
    );
  });
});

describe("token texts", () => {
  const word = (hex: string) => hex.padStart(64, "0");
  const text = (hex: string) => `0x${word("20")}${word((hex.length / 2).toString(16))}${hex.padEnd(64, "0")}` as Hex;

  it.each([
    ["a string", text("55534443"), "USDC"],
    ["32 bytes", `0x${"4d4b52".padEnd(64, "0")}`, "MKR"],
    ["invisible characters", text("e280ae55e2808b5344"), "USD"],
    ["nothing", text(""), undefined],
    ["a length beyond the answer", `0x${word("20")}${word("ffff")}${word("0")}`, undefined],
    ["an offset beyond the answer", `0x${word("ffffffff")}${word("1")}${word("0")}`, undefined],
    ["too few bytes", "0x1234", undefined],
  ])("%s", (_, answer, read) => {
    expect(readTokenText(answer as Hex)).toBe(read);
  });

  it("are cut at 64 characters", () => {
    expect(readTokenText(text("41".repeat(5_000)))).toBe("A".repeat(64));
  });
});
