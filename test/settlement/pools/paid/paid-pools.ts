import { compiled } from "../../../../fixtures/settlement/node.ts";
import { UNIT, type World } from "../../../../fixtures/settlement/venues.ts";
import type { Address } from "../../../../src/domain/address.ts";
import { withTargets } from "../../../../src/pools/dodo/side.ts";
import type { DodoState } from "../../../../src/pools/dodo/state.ts";
import type { Pool } from "../../../../src/pools/pool.ts";
import type { WooState } from "../../../../src/pools/woofi/state.ts";

const ONE = 10n ** 18n;
const PRICE_UNIT = 10n ** 8n;
const HELD = 100_000n * UNIT;
const MAX_PRICE = (1n << 128n) - 1n;
const base = { spread: 10n ** 14n, coeff: 10n ** 9n, feeRate: 25n, maxGamma: 10n ** 16n, maxNotional: 50_000n * UNIT };

/** The world with a pool of WOOFi, usd its quote token, and a vending machine and a stable pool of DODO of usd for dai. */
export async function withPaidPools(world: World) {
  const { node, owner, usd, dai, gem, give } = world;
  const oracleCode = compiled("DevnetWooOracle");
  const poolCode = compiled("DevnetWooPool");
  const dodoCode = compiled("DevnetDodoPool");
  const oracle = await node.deploy(oracleCode, owner);
  const woofi = await node.deploy(poolCode, usd, oracle, true, owner);
  await node.write(owner, oracle, oracleCode.abi, "set", woofi, 10n ** 12n, 10n ** 16n);
  const tokens = [usd, dai, gem];
  for (const token of tokens) {
    await give(token, woofi, HELD);
    await node.write(owner, woofi, poolCode.abi, "sync", token);
    const { feeRate, maxGamma, maxNotional, spread, coeff } = base;
    await node.write(owner, woofi, poolCode.abi, "setTokenInfo", token, Number(feeRate), maxGamma, maxNotional);
    if (token === usd) continue;
    await node.write(owner, oracle, oracleCode.abi, "post", token, PRICE_UNIT, spread, coeff, 1n);
    await node.write(owner, oracle, oracleCode.abi, "refer", token, PRICE_UNIT, false, 0n, MAX_PRICE);
  }
  const woo: WooState = {
    ...{ quoteUnit: UNIT, priceUnit: PRICE_UNIT, spreads: "halved", reserves: [HELD, HELD, HELD] },
    bases: [1, 2].map(() => ({ unit: UNIT, price: PRICE_UNIT, ...base })),
  };
  const fees = { lpFee: 2n * 10n ** 15n, maintainerFee: 5n * 10n ** 14n };
  const terms = { i: ONE, k: 10n ** 17n, ...fees };
  const create = async (version: string): Promise<Address> => {
    const pool = await node.deploy(dodoCode, version, usd, dai, owner, owner);
    for (const token of [usd, dai]) await give(token, pool, HELD);
    await node.write(owner, pool, dodoCode.abi, "reset", terms.lpFee, terms.i, terms.k);
    await node.write(owner, pool, dodoCode.abi, "setFees", terms.lpFee, `0x${"00".repeat(20)}`, terms.maintainerFee);
    return pool;
  };
  const [machine, stable] = [await create("DVM 1.0.2"), await create("DSP 1.0.1")];
  const dvm = withTargets({ ...terms, kind: "DVM", r: "ABOVE_ONE", reserves: [HELD, HELD], targets: [0n, 0n] });
  const dsp: DodoState = { ...terms, kind: "targets", r: "ONE", reserves: [HELD, HELD], targets: [HELD, HELD] };
  const states = new Map<Address, Pool>(world.states);
  states.set(woofi, { id: woofi, source: "Test", tokens, curve: "woofi", state: woo });
  for (const [id, state] of [
    [machine, dvm!],
    [stable, dsp],
  ] as const)
    states.set(id, { id, source: "Test", tokens: [usd, dai], curve: "dodo", state });
  const actionOf: World["actionOf"] = (fill) => {
    const pool = fill.poolId as Address;
    if (pool === woofi) return { action: "woofi-pool", pool };
    return pool === machine || pool === stable ? { action: "dodo-pool", pool, baseToken: usd } : world.actionOf(fill);
  };
  await world.keep();
  return { world: { ...world, states, actionOf } as World, woofi, machine, stable };
}
