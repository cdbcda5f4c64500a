import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createVirtualClock, type VirtualClock } from "../../../fixtures/chain/virtual-clock.ts";
import { type BlockMemory, createBlockMemory } from "../../../src/chain/rpc/block-memory.ts";
import { parseHeader } from "../../../src/chain/rpc/codec.ts";
import { balanceOf, DECIMALS, NAME, SYMBOL, TOTAL_SUPPLY } from "../../../src/chain/rpc/erc20.ts";
import { createProvider, type Provider } from "../../../src/chain/rpc/provider.ts";
import { RpcError, TransportError } from "../../../src/chain/rpc/provider-errors.ts";
import { createChainReader } from "../../../src/chain/rpc/reader.ts";
import { LOOKUP_LIMITS, type LookupLimits, TokenLookups } from "../../../src/chain/tokens/token-lookups.ts";
import { createTokenProbe } from "../../../src/chain/tokens/token-probe.ts";
import { createTokenRegistry } from "../../../src/chain/tokens/token-registry.ts";
import { type Address, type Hex, NATIVE_TOKEN, toAddress } from "../../../src/domain/address.ts";
import type { BlockRef } from "../../../src/domain/block.ts";
import type { Token } from "../../../src/domain/token.ts";
import { createLogger } from "../../../src/ops/logger.ts";
import type { TokenRegistry } from "../../../src/quoting/ports.ts";
import { answeringCode, stringAnswer, wordAnswer } from "../../support/nodes/answering-contract.ts";
import { useDevnet } from "../../support/worlds/devnet.ts";
import { inTime } from "../blocks/following.ts";

const devnet = useDevnet();
const nobody = toAddress(`0x${"12".repeat(20)}`);
const BALANCE_OF = balanceOf(nobody).slice(0, 10) as Hex;
const ERC20 = { [BALANCE_OF]: wordAnswer(7n), [TOTAL_SUPPLY]: wordAnswer(9n) };
const SIX = { [DECIMALS]: wordAnswer(6n) };

let provider: Provider;
let at: BlockRef;
let memory: BlockMemory;
let clock: VirtualClock;
let methods: string[];
let born = 0;

beforeAll(() => {
  provider = createProvider({ url: devnet().rpcUrl, timeoutMs: 10_000, logger: createLogger("silent") });
});
beforeEach(async () => {
  await nextBlock();
  memory = createBlockMemory();
  clock = createVirtualClock(0);
  methods = [];
});

async function nextBlock(): Promise<void> {
  await devnet().mine();
  at = parseHeader(await devnet().rpc("eth_getBlockByNumber", ["latest", false]));
}

/** A contract with this code, as of a block of its own. */
async function contract(code: Hex): Promise<Address> {
  const address = toAddress(`0x${(0xc0de0000 + born++).toString(16).padStart(40, "0")}`);
  await devnet().rpc("anvil_setCode", [address, code]);
  await nextBlock();
  return address;
}

/** A registry whose node's answers are waited for without time passing. */
function registry(
  options: {
    readonly via?: Provider;
    readonly listed?: number;
    readonly list?: readonly Token[];
    readonly head?: () => BlockRef | undefined;
    readonly limits?: Partial<LookupLimits>;
  } = {},
): TokenRegistry {
  const record = devnet().chain;
  const { request } = options.via ?? provider;
  const counted: Provider = {
    ...provider,
    request(method, ...rest) {
      methods.push(method);
      return clock.outside(request(method, ...rest));
    },
  };
  const lookups = new TokenLookups({
    probe: createTokenProbe(counted, createChainReader(counted, record)),
    head: options.head ?? (() => at),
    limits: { ...LOOKUP_LIMITS, ...options.limits },
    memory,
    clock,
  });
  return createTokenRegistry({
    lookups,
    tokens: options.list ?? devnet().tokens.slice(0, options.listed ?? 0),
    record,
  });
}

const find = (tokens: TokenRegistry, address: Address) => inTime(clock, tokens.find(address));

describe("the token registry", () => {
  it("reads tokens that are not listed from the chain, once, several with one request", async () => {
    const tokens = registry();
    const addresses = devnet().tokens.map(({ address }) => address);
    expect(addresses.length).toBeGreaterThan(8);
    const both = inTime(clock, Promise.all([...addresses, ...addresses].map((address) => tokens.find(address))));
    const found = await both;
    for (const [index, { address, symbol, name, decimals }] of devnet().tokens.entries()) {
      expect(found[index]).toEqual({ address, symbol, name, decimals });
      expect(found[addresses.length + index]).toBe(found[index]);
      expect(tokens.known(address)).toBe(found[index]);
    }
    expect(methods.length).toBe(Math.ceil(addresses.length / 8));
  });

  it("knows the native token and the list without asking", async () => {
    const tokens = registry({ listed: 3, head: () => undefined });
    const native = { address: NATIVE_TOKEN, symbol: "ETH", name: "Ether", decimals: 18 };
    expect(await tokens.find(NATIVE_TOKEN)).toEqual(native);
    expect(tokens.known(devnet().tokens[2]!.address)).toEqual(devnet().tokens[2]);
    expect(tokens.bySymbol(devnet().tokens[1]!.symbol.toLowerCase())).toEqual([devnet().tokens[1]]);
    expect(tokens.bySymbol("nothing")).toEqual([]);
    expect(methods).toEqual([]);
  });

  it("looks a symbol up without going through the list", () => {
    let reads = 0;
    const listed = devnet().tokens.map((token) => ({
      ...token,
      get symbol() {
        reads++;
        return token.symbol;
      },
    }));
    const tokens = registry({ list: listed });
    const before = reads;
    expect(tokens.bySymbol(devnet().tokens[1]!.symbol)).toEqual([listed[1]]);
    expect(tokens.bySymbol("nothing")).toEqual([]);
    // Those of the comparison above alone.
    expect(reads - before).toBeLessThan(4);
  });

  it("asks with one request what no token is, and again at the next block", async () => {
    const tokens = registry();
    const factory = devnet().contracts.uniswapV2Factory;
    const both = () => inTime(clock, Promise.all([tokens.find(nobody), tokens.find(factory)]));
    expect(await both()).toEqual([undefined, undefined]);
    expect(await both()).toEqual([undefined, undefined]);
    expect(methods).toEqual(["eth_call"]);
    await nextBlock();
    expect(await both()).toEqual([undefined, undefined]);
    expect(methods).toEqual(["eth_call", "eth_call"]);
  });

  it("knows a token at the block in which it is deployed, though it was refused a block before", async () => {
    const tokens = registry();
    const address = toAddress(`0x${(0xc0de0000 + born).toString(16).padStart(40, "0")}`);
    expect(await find(tokens, address)).toBeUndefined();
    await contract(answeringCode({ ...ERC20, ...SIX, [SYMBOL]: stringAnswer("LATE") }));
    expect(await find(tokens, address)).toMatchObject({ symbol: "LATE", decimals: 6 });
  });

  it("forgets a token with the block that it was read in, and knows the one that stands there then", async () => {
    const tokens = registry();
    const address = await contract(answeringCode({ ...ERC20, ...SIX, [SYMBOL]: stringAnswer("OLD") }));
    expect(await find(tokens, address)).toMatchObject({ symbol: "OLD", decimals: 6 });
    const read = at.number;
    await nextBlock();
    memory.rewind(read);
    expect(tokens.known(address)).toMatchObject({ symbol: "OLD" });
    memory.rewind(read - 1n);
    expect(tokens.known(address)).toBeUndefined();
    await devnet().rpc("anvil_setCode", [address, answeringCode({ ...ERC20, [DECIMALS]: wordAnswer(8n) })]);
    await nextBlock();
    expect(await find(tokens, address)).toMatchObject({ symbol: "", decimals: 8 });
  });

  it.each([
    [36n, true],
    [37n, false],
    [255n, false],
    [1n << 200n, false],
  ])("takes %s decimals: %s", async (decimals, taken) => {
    const address = await contract(answeringCode({ ...ERC20, [DECIMALS]: wordAnswer(decimals) }));
    expect((await find(registry(), address))?.decimals).toBe(taken ? Number(decimals) : undefined);
  });

  it("says that it cannot say when the node fails", async () => {
    const silent: Provider = { ...provider, request: () => Promise.reject(new TransportError("no answer")) };
    await expect(find(registry({ via: silent }), nobody)).rejects.toMatchObject({ kind: "UNAVAILABLE" });
    await expect(find(registry({ head: () => undefined }), nobody)).rejects.toMatchObject({ kind: "UNAVAILABLE" });
  });

  it("has so many addresses of an account looked up at a time, and so many in all", async () => {
    const tokens = registry({ limits: { perAccount: 2, inAll: 3 } });
    const fresh = (index: number) => toAddress(`0x${(0xe0a0000 + index).toString(16).padStart(40, "0")}`);
    const asked = [tokens.find(fresh(1), "greedy"), tokens.find(fresh(2), "greedy")];
    await expect(tokens.find(fresh(3), "greedy")).rejects.toMatchObject({
      kind: "TOO_MANY_REQUESTS",
      reason: "TOO_MANY_UNKNOWN_TOKENS",
      retryAfterSeconds: 1,
    });
    asked.push(tokens.find(fresh(2), "greedy"), tokens.find(fresh(4), "modest"));
    await expect(tokens.find(fresh(5), "late")).rejects.toMatchObject({ kind: "UNAVAILABLE", retryAfterSeconds: 1 });
    expect(await inTime(clock, Promise.all(asked))).toEqual([undefined, undefined, undefined, undefined]);
    expect(await find(tokens, fresh(3))).toBeUndefined();
  });

  it("asks ten times a second at most, and for what came meanwhile together", async () => {
    const tokens = registry();
    const fresh = (index: number) => toAddress(`0x${(0xf0a0000 + index).toString(16).padStart(40, "0")}`);
    const asked: Promise<unknown>[] = [];
    for (let index = 0; index < 50; index++) {
      asked.push(tokens.find(fresh(index)));
      await clock.advance(20);
    }
    await inTime(clock, Promise.all(asked));
    expect(methods.length).toBe(11);
  });
});

describe("an ERC-20", () => {
  it("may have no symbol and no name", async () => {
    const address = await contract(answeringCode({ ...ERC20, ...SIX }));
    expect(await find(registry(), address)).toEqual({ address, symbol: "", name: "", decimals: 6 });
  });

  it("may have a symbol and a name of 32 bytes", async () => {
    const text = (value: string): Hex => `0x${Buffer.from(value).toString("hex").padEnd(64, "0")}`;
    const texts = { [SYMBOL]: text("MKR"), [NAME]: text("Maker") };
    const address = await contract(answeringCode({ ...ERC20, ...SIX, ...texts }));
    expect(await find(registry(), address)).toEqual({ address, symbol: "MKR", name: "Maker", decimals: 6 });
  });

  it("may have a name that is longer than what is read of it", async () => {
    const texts = { [SYMBOL]: stringAnswer("LONG"), [NAME]: stringAnswer("A".repeat(1_000)) };
    const address = await contract(answeringCode({ ...ERC20, ...SIX, ...texts }));
    expect(await find(registry(), address)).toMatchObject({ symbol: "LONG", name: "A".repeat(64) });
  });

  it.each(["revert", "burn"] as const)("without decimals counts in whole units, and says so: %s", async (otherwise) => {
    const address = await contract(answeringCode({ ...ERC20, [SYMBOL]: stringAnswer("WHOLE") }, otherwise));
    const neighbour = await contract(answeringCode({ ...ERC20, ...SIX, [SYMBOL]: stringAnswer("NEXT") }));
    const tokens = registry();
    const found = await inTime(clock, Promise.all([tokens.find(address), tokens.find(neighbour)]));
    expect(found[0]).toEqual({ address, symbol: "WHOLE", name: "WHOLE", decimals: 0, wholeUnits: true });
    expect(found[1]).toEqual({ address: neighbour, symbol: "NEXT", name: "NEXT", decimals: 6 });
    expect(methods).toEqual(["eth_call"]);
  });

  it.each([
    ["totalSupply", { [BALANCE_OF]: wordAnswer(7n) }],
    ["balanceOf", { [TOTAL_SUPPLY]: wordAnswer(7n) }],
  ])("is none without %s", async (_, answers) => {
    const address = await contract(answeringCode({ ...answers, ...SIX, [SYMBOL]: stringAnswer("NOT") }));
    expect(await find(registry(), address)).toBeUndefined();
  });

  it("is read call by call on a node that does not run creation code", async () => {
    const plain: Provider = {
      ...provider,
      async request(method, params, ...rest) {
        if ((params[0] as { readonly to?: Address }).to === undefined) throw new RpcError(-32602, "to is required");
        return provider.request(method, params, ...rest);
      },
    };
    const address = await contract(answeringCode({ ...ERC20, [SYMBOL]: stringAnswer("WHOLE") }));
    const found = await find(registry({ via: plain }), address);
    expect(found).toEqual({ address, symbol: "WHOLE", name: "WHOLE", decimals: 0, wholeUnits: true });
  });
});

describe("what a route leads over", () => {
  it("is described by its own word, also where requests may not name it", async () => {
    const tokens = registry();
    const describeOf = (address: Address) => inTime(clock, tokens.describe(address));
    const tall = await contract(
      answeringCode({ ...ERC20, [DECIMALS]: wordAnswer(77n), [SYMBOL]: stringAnswer("TALL") }),
    );
    expect(await describeOf(tall)).toEqual({ address: tall, symbol: "TALL", name: "TALL", decimals: 77 });
    expect(await find(tokens, tall)).toBeUndefined();
    const odd = await contract(answeringCode({ [BALANCE_OF]: wordAnswer(7n) }));
    expect(await describeOf(odd)).toEqual({ address: odd, symbol: "", name: "", decimals: 0, wholeUnits: true });
  });
});
