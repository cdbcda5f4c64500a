import { beforeAll, describe, expect, it } from "vitest";
import { parseHeader } from "../../../src/chain/rpc/codec.ts";
import { createProvider, type Provider } from "../../../src/chain/rpc/provider.ts";
import { RpcError } from "../../../src/chain/rpc/provider-errors.ts";
import { createChainReader } from "../../../src/chain/rpc/reader.ts";
import { createTokenTrial, type TokenTrial } from "../../../src/chain/tokens/token-trial.ts";
import { type Address, ZERO_ADDRESS } from "../../../src/domain/address.ts";
import type { TokenVerdict } from "../../../src/domain/token-verdict.ts";
import { createLogger } from "../../../src/ops/logger.ts";
import { useDevnet } from "../../support/worlds/devnet.ts";
import { revertReason } from "../../support/worlds/revert-reason.ts";
import { MISFIT, misfitsOn, SHARES } from "../blocks/misfits.ts";

const UNIT = 10n ** 18n;

const devnet = useDevnet();
let world: ReturnType<typeof misfitsOn>;
let usdh: Address;
let provider: Provider;

beforeAll(() => {
  world = misfitsOn(devnet());
  usdh = devnet().tokens.find(({ symbol }) => symbol === "USDH")!.address;
  provider = createProvider({ url: devnet().rpcUrl, timeoutMs: 10_000, logger: createLogger("silent") });
});

function trialOver(holders: readonly Address[], via: Provider = provider): TokenTrial {
  const reader = createChainReader(via, devnet().chain);
  return createTokenTrial({ provider: via, reader, holdersOf: () => holders, explainRevert: revertReason });
}

/** Verdict on a token that these contracts hold, at the newest block. */
async function verdictOn(token: Address, holders: readonly Address[], via?: Provider): Promise<TokenVerdict> {
  const at = parseHeader(await devnet().rpc("eth_getBlockByNumber", ["latest", false]));
  return trialOver(holders, via)(token, at, []);
}

const pairWithUsdh = (token: Address) => world.pair(token, 3_333_333n * UNIT, usdh, 1_000_000_000_000n);

describe("a plain token", () => {
  it("is every ERC-20 of the devnet, whatever it returns, wrappers and shares among them", async () => {
    const { whale, tokens } = devnet();
    expect(tokens.length).toBeGreaterThan(15);
    for (const { address, symbol } of tokens) {
      expect(await verdictOn(address, [whale]), symbol).toEqual({ kind: "plain" });
    }
  });

  it("is one that returns nothing, or has many decimals, or none", async () => {
    const odd = [await world.returnless("VOID"), await world.misfit("WIDE", 36), await world.misfit("WHOLE", 0)];
    for (const token of odd) expect(await verdictOn(token, [await pairWithUsdh(token)])).toEqual({ kind: "plain" });
  });

  it("is known without a holder, by a balance that is lent", async () => {
    expect(await verdictOn(usdh, [])).toEqual({ kind: "plain" });
  });

  it("is not blamed for one pool that it bars", async () => {
    const token = await world.misfit("PART");
    const barred = await pairWithUsdh(token);
    await world.call(token, MISFIT, "bar", barred, true);
    expect(await verdictOn(token, [barred])).toEqual({ kind: "refusing", reason: "an account is barred" });
    expect(await verdictOn(token, [barred, devnet().whale])).toEqual({ kind: "plain" });
  });
});

describe("a fee on transfer", () => {
  it("is told to the basis point, also when it is switched on later", async () => {
    const token = await world.misfit("FEE");
    const pool = await pairWithUsdh(token);
    expect(await verdictOn(token, [pool])).toEqual({ kind: "plain" });
    await world.call(token, MISFIT, "keep", 10_000n, ZERO_ADDRESS);
    expect(await verdictOn(token, [pool])).toMatchObject({ kind: "fee", ppm: 10_000n });
    await world.call(token, MISFIT, "keep", 0n, ZERO_ADDRESS);
    expect(await verdictOn(token, [pool])).toEqual({ kind: "plain" });
  });

  it("is found when only sales to a pool pay it", async () => {
    const token = await world.misfit("SALE");
    const pool = await pairWithUsdh(token);
    await world.call(token, MISFIT, "keep", 50_000n, pool);
    expect(await verdictOn(token, [pool])).toMatchObject({ kind: "fee", ppm: 50_000n });
    expect(await verdictOn(token, [devnet().whale])).toEqual({ kind: "plain" });
    expect(await verdictOn(token, [devnet().whale, pool])).toMatchObject({ kind: "fee", ppm: 50_000n });
  });
});

describe("balances that are no plain numbers", () => {
  it("are found by one unit that is missing", async () => {
    const token = await world.shareToken("SHARE");
    const pool = await pairWithUsdh(token);
    await world.call(token, SHARES, "fill", 123_456_789_012_345_678_901n, 0n);
    const verdict = await verdictOn(token, [pool]);
    if (verdict.kind !== "inexact") throw new Error(verdict.kind);
    const { amount, sent, received } = verdict;
    for (const side of [sent, received]) expect([-1n, 0n, 1n]).toContain(side - amount);
    expect([sent, received]).not.toEqual([amount, amount]);
  });

  it("are found by what comes with time", async () => {
    const token = await world.shareToken("GROW");
    const pool = await pairWithUsdh(token);
    expect(await verdictOn(token, [pool])).toEqual({ kind: "plain" });
    await world.call(token, SHARES, "fill", 0n, 10n ** 27n / (86_400n * 365n));
    // A whole supply in a year: within the block of the change nothing has come yet, and shares are still worth one.
    const kinds = [await verdictOn(token, [pool]), await verdictOn(token, [devnet().whale])].map(({ kind }) => kind);
    expect(kinds).toEqual(["rebasing", "rebasing"]);
  });
});

describe("a token that refuses", () => {
  it("is one that pays only some receivers, with its own words", async () => {
    const token = await world.misfit("CLUB");
    const pool = await pairWithUsdh(token);
    await world.call(token, MISFIT, "payOnly", true, [pool, devnet().whale]);
    expect(await verdictOn(token, [pool])).toEqual({ kind: "refusing", reason: "the receiver is not listed" });
  });

  it("is one that returns false", async () => {
    const token = await world.misfit("FALSE");
    const pool = await pairWithUsdh(token);
    await world.call(token, MISFIT, "refuse", true);
    expect(await verdictOn(token, [pool])).toEqual({ kind: "refusing", reason: "it does not return true" });
  });
});

describe("what cannot be tested", () => {
  it("is a token that nobody holds and whose balances no slot keeps", async () => {
    const token = await world.shareToken("NONE");
    await world.call(token, SHARES, "fill", 7n ** 20n, 0n);
    expect(await verdictOn(token, [])).toEqual({ kind: "untestable", reason: "nobody is known to hold any" });
  });

  it("is anything on a node that does not simulate: that is thrown", async () => {
    const deaf: Provider = {
      ...provider,
      request: (method, params, limits) =>
        method === "eth_simulateV1"
          ? Promise.reject(new RpcError(-32601, "the method does not exist"))
          : provider.request(method, params, limits),
    };
    await expect(verdictOn(usdh, [devnet().whale], deaf)).rejects.toThrow("the method does not exist");
  });
});
