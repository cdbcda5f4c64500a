import { stringToHex } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { psm } from "../../src/venues/psm/source.ts";
import { rateToken } from "../../src/venues/rate-token/source.ts";
import { sourceContract } from "../market/liquidity-source.suite.ts";
import { type Anvil, startAnvil } from "./worlds/anvil.ts";
import { transferData } from "./worlds/traffic/minted-tokens.ts";
import { createRandom } from "./worlds/traffic/random.ts";
import { deployPsm, deployRateToken, psmCall, rateTokenCall } from "./worlds/wrappers.ts";

const LONG = process.env.TRIBUTARY_LONG === "1";
const BLOCKS = LONG ? 600 : 30;
const HALTED = (1n << 256n) - 1n;

let anvil: Anvil;

beforeAll(async () => {
  anvil = await startAnvil();
});
afterAll(() => anvil?.stop());

test("rate tokens are what their contracts say at every block: trades, gifts and new rates", async () => {
  const random = createRandom(61);
  const tokens = [await deployRateToken(anvil, 18), await deployRateToken(anvil, 6)];
  for (const { token } of tokens) await anvil.send(token, rateTokenCall("wrap", [10n ** 12n]));
  const start = await anvil.mine();
  let reports = 0;
  const act = async () => {
    const { token, underlying } = random.pick(tokens);
    const kind = random.int(0, 3);
    if (kind === 0) await anvil.send(token, rateTokenCall("wrap", [random.ofBits(60)]));
    if (kind === 1) await anvil.send(token, rateTokenCall("unwrap", [random.ofBits(35)]));
    if (kind === 2) await anvil.send(underlying, transferData(token, random.ofBits(50)));
    if (kind === 3) {
      reports++;
      await anvil.send(
        token,
        rateTokenCall("report", [10n ** 24n + random.ofBits(84), 10n ** 24n - random.ofBits(78)]),
      );
    }
    return anvil.mine();
  };
  const source = rateToken({
    ...{ protocol: "rate-token", source: "Rate_Tokens", fromBlock: 0n },
    tokens: tokens.map(({ token, underlying }) => ({ token, underlying, totals: token })),
  });
  const { refs } = await sourceContract({
    ...{ source, reader: anvil.reader, start, blocks: BLOCKS, act },
    logsOf: anvil.logsOf,
  });
  expect(reports).toBeGreaterThan(BLOCKS / 10);

  // Another token's totals are not its rate, and another token is not what it wraps.
  const at = await anvil.head();
  const [first, second] = tokens.map(({ token, underlying }) => ({ token, underlying, totals: token }));
  if (first === undefined || second === undefined) throw new Error("no tokens");
  await anvil.send(first.token, rateTokenCall("report", [3n * 10n ** 24n, 2n * 10n ** 24n]));
  const moved = await anvil.mine();
  const venue = { protocol: "rate-token", source: "Rate_Tokens", fromBlock: 0n } as const;
  const mixed = rateToken({ ...venue, tokens: [{ ...first, totals: second.token }] });
  expect(await mixed.sync(anvil.reader, mixed.fixed?.() ?? [], moved)).toEqual([]);
  const other = rateToken({ ...venue, tokens: [{ ...first, underlying: second.underlying }] });
  expect(await other.sync(anvil.reader, other.fixed?.() ?? [], at)).toEqual([]);

  const [pool] = await source.sync(anvil.reader, refs, moved);
  if (pool === undefined) throw new Error("the token cannot be read");
  const fill = { poolId: pool.id, source: "", sellAmount: 1n, buyAmount: 1n, gas: 0n, share: 1n };
  const { token, underlying } = first;
  expect(source.action(pool, { ...fill, sellToken: underlying, buyToken: token })).toEqual({
    action: "rate-token",
    token,
  });
});

test("modules are what their contracts say at every block: trades, gifts, fees and halts", async () => {
  const random = createRandom(62);
  const modules = [await deployPsm(anvil, 6), await deployPsm(anvil, 18)];
  for (const { psm, dai, gem } of modules) {
    await anvil.send(dai, transferData(psm, 10n ** 30n));
    await anvil.send(gem, transferData(psm, 10n ** 20n));
  }
  const start = await anvil.mine();
  const seen = { trades: 0, fees: 0, halts: 0 };
  const act = async () => {
    const { psm, dai } = random.pick(modules);
    const kind = random.int(0, 4);
    if (kind < 2) seen.trades++;
    if (kind === 0) await anvil.send(psm, psmCall("sellGem", [anvil.account, random.ofBits(40)]));
    if (kind === 1) await anvil.send(psm, psmCall("buyGem", [anvil.account, random.ofBits(40)]));
    if (kind === 2) await anvil.send(dai, transferData(psm, random.ofBits(80)));
    if (kind > 2) {
      const halted = random.chance(0.3);
      seen[halted ? "halts" : "fees"]++;
      const what = stringToHex(random.pick(["tin", "tout"]), { size: 32 });
      await anvil.send(psm, psmCall("file", [what, halted ? HALTED : random.ofBits(54)]));
    }
    return anvil.mine();
  };
  const source = psm({ protocol: "psm", source: "PSM", modules, fromBlock: 0n });
  const { refs } = await sourceContract({
    ...{ source, reader: anvil.reader, start, blocks: BLOCKS, act },
    logsOf: anvil.logsOf,
  });
  expect(seen.trades).toBeGreaterThan(BLOCKS / 5);
  expect(seen.fees).toBeGreaterThan(BLOCKS / 10);
  expect(seen.halts).toBeGreaterThan(0);

  const at = await anvil.head();
  const [first] = refs;
  if (first === undefined) throw new Error("no module");
  expect(await source.sync(anvil.reader, [{ ...first, tokens: [...first.tokens].reverse() }], at)).toEqual([]);
  const [pool] = await source.sync(anvil.reader, [first], at);
  const [dai, gem] = first.tokens;
  if (pool === undefined || dai === undefined || gem === undefined) throw new Error("the module cannot be read");
  const fill = { poolId: pool.id, source: "", sellAmount: 1n, buyAmount: 1n, gas: 0n, share: 1n };
  expect(source.action(pool, { ...fill, sellToken: dai, buyToken: gem })).toEqual({ action: "psm", psm: pool.id, gem });
});
