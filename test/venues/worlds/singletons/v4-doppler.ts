import { encodeFunctionData, type Hex, keccak256, numberToHex } from "viem";
import { compiled } from "../../../../fixtures/settlement/node.ts";
import { type Address, toAddress, ZERO_ADDRESS } from "../../../../src/domain/address.ts";
import type { LiquiditySource, PoolRef } from "../../../../src/market/liquidity-source.ts";
import { DYNAMIC_FEE } from "../../../../src/venues/uniswap-v4/pool-key.ts";
import type { UniswapV4HooksRecord } from "../../../../src/venues/uniswap-v4-hooks/record.ts";
import { uniswapV4Hooks } from "../../../../src/venues/uniswap-v4-hooks/source.ts";
import type { Anvil } from "../anvil.ts";
import { balanceSlot } from "../v3.ts";
import { deployV4, type V4World } from "./v4.ts";

export const PASSING = compiled("DevnetPassingHooks") as ReturnType<typeof compiled> & {
  readonly deployedBytecode: Hex;
};
export const FALLING = compiled("DevnetFallingFee");

/** Address whose lowest bits are the permissions: called after a swap, and may return what it takes. */
export const HOOKS_AT = toAddress("0x00000000000000000000000000000000fee60044");
/** Timelock of an asset that nobody governs. */
export const NOBODY = toAddress(`0x${"0".repeat(36)}dead`);
/** Status of a pool that may be given another contract, and of one that may not. */
export const LOCKED = 2;
export const GRADUATED = 3;
const ON_SWAP = 2n;
const SPACING = 60;

export const GAS = { gas: 62_000, mostGas: 220_000 } as const;
export const PASSED_GAS = { gas: 84_000, mostGas: 250_000, tradeGas: 74_000, mostTradeGas: 300_000 } as const;

/** Contract that a pool passes its swaps to, and who may name another one. */
export interface Passed {
  readonly passesTo: Address;
  readonly status?: number;
  readonly timelock?: Address;
}

/** A fee that falls from one figure to another, in parts of the contract's whole; unix seconds. */
export type Schedule = readonly [startTime: number, startFee: number, endFee: number, seconds: number];

export interface V4DopplerWorld extends Omit<V4World, "source"> {
  readonly source: LiquiditySource;
  readonly record: UniswapV4HooksRecord;
  /** Contracts that the record names, whose fees are parts of 800,000 and of 1,000,000, and one that it does not. */
  readonly passed: readonly [Address, Address, Address];
  /** Creates a pool of the hooks, and tells these what it passes its swaps to. */
  launched(currencies: readonly [Address, Address], price: bigint, fee: number, terms: Passed): Promise<PoolRef>;
  /** Queues what a pool passes its swaps to from now on. */
  pass(pool: PoolRef, terms: Passed): Promise<unknown>;
  /** Queues a schedule for a pool at one of the contracts. */
  schedule(pool: PoolRef, at: Address, schedule: Schedule): Promise<unknown>;
  /** Queues whether a contract is told of swaps. */
  enable(passed: Address, isOn: boolean): Promise<unknown>;
  /** Queues the liquidity's fee of a pool whose key lets the hooks set it. */
  setLiquidityFee(pool: PoolRef, feePpm: number): Promise<unknown>;
  /** Queues that a contract makes liquidity of a pool's fees. */
  addLiquidity(pool: PoolRef, at: Address): Promise<unknown>;
}

/** Uniswap V4 with hooks of ours that pass swaps on as Doppler's initializer does. */
export async function deployV4Doppler(anvil: Anvil): Promise<V4DopplerWorld> {
  const world = await deployV4(anvil);
  const { manager } = world;
  await anvil.rpc("anvil_setCode", [HOOKS_AT, PASSING.deployedBytecode]);
  await anvil.rpc("anvil_setBalance", [manager, numberToHex(1n << 180n)]);
  const wholes = [800_000, 1_000_000, 1_000_000] as const;
  const passed: Address[] = [];
  for (const whole of wholes) passed.push(await anvil.deploy(FALLING.abi, FALLING.bytecode, [whole, manager]));
  const ours = (functionName: string, ...args: readonly unknown[]) =>
    anvil.send(HOOKS_AT, encodeFunctionData({ abi: PASSING.abi, functionName, args }));
  const ofPassed = (at: Address, functionName: string, ...args: readonly unknown[]) =>
    anvil.send(at, encodeFunctionData({ abi: FALLING.abi, functionName, args }));
  const enable: V4DopplerWorld["enable"] = (at, isOn) => ours("setFlags", at, isOn ? ON_SWAP : 1n);
  for (const at of passed) await enable(at, true);
  await anvil.mine();
  const known = await Promise.all(
    passed.slice(0, 2).map(async (address, index) => {
      const code = await anvil.rpc<Hex>("eth_getCode", [address, "latest"]);
      return { address, codeHash: keccak256(code), whole: wholes[index] as 800_000 | 1_000_000, ...PASSED_GAS };
    }),
  );
  const record: UniswapV4HooksRecord = {
    ...{ protocol: "uniswap-v4-hooks", source: "Doppler", factory: manager, fromBlock: 0n },
    hooks: [
      {
        ...{ model: "doppler", address: HOOKS_AT, codeHash: keccak256(PASSING.deployedBytecode), ...GAS },
        ...{ airlock: HOOKS_AT, passesTo: known },
      },
    ],
  };
  const pass: V4DopplerWorld["pass"] = (pool, { passesTo, status = LOCKED, timelock = NOBODY }) => {
    const key = keyOf(pool);
    return ours("register", key, key.currency1, passesTo, status, timelock);
  };
  const schedule: V4DopplerWorld["schedule"] = ({ id }, at, [startTime, startFee, endFee, seconds]) =>
    ofPassed(at, "setSchedule", id, startTime, startFee, endFee, seconds);
  const launched: V4DopplerWorld["launched"] = async (currencies, price, fee, terms) => {
    // The fee of a sold token is taken before the swapper pays: the manager holds plenty, as for other pools.
    for (const token of currencies)
      if (token !== ZERO_ADDRESS)
        await anvil.rpc("anvil_setStorageAt", [token, balanceSlot(manager), numberToHex(1n << 200n, { size: 32 })]);
    const pool = await world.initialize(currencies, fee, SPACING, HOOKS_AT, price);
    await pass(pool, terms);
    if (fee === DYNAMIC_FEE) await ours("setLiquidityFee", manager, keyOf(pool), 2_000);
    await anvil.mine();
    return pool;
  };
  const passedBy = ({ terms }: PoolRef) => passed[Number(terms.fee) === DYNAMIC_FEE ? 1 : 0] as Address;
  return {
    ...world,
    ...{ record, source: uniswapV4Hooks(record), passed: passed as unknown as V4DopplerWorld["passed"] },
    ...{ launched, pass, schedule, enable },
    setLiquidityFee: (pool, feePpm) => ours("setLiquidityFee", manager, keyOf(pool), feePpm),
    addLiquidity: ({ id }, at) => ofPassed(at, "addLiquidity", id),
    // A pool without a contract, one whose fee has fallen, one whose fee falls.
    tiers: [100, 3_000, DYNAMIC_FEE].map((fee) => ({ fee, spacing: SPACING, quotes: 45 })),
    async create(tokens, fee, price) {
      const pool = await launched(tokens, price, fee, {
        passesTo: fee === 100 ? ZERO_ADDRESS : passed[fee === 3_000 ? 0 : 1]!,
      });
      const now = Number((await anvil.head()).timestamp);
      await schedule(pool, passedBy(pool), fee === 3_000 ? [now - 20, 800_000, 11_201, 10] : [now, 377_777, 3, 10_007]);
      return pool;
    },
    async disturb(pool) {
      await world.setProtocolFees(pool, 1_000, 77);
      await anvil.rpc("evm_increaseTime", [777]);
    },
  };
}

/** A pool's key as the contracts have it. */
function keyOf({ terms }: PoolRef) {
  const { currency0, currency1, hooks } = terms as Record<"currency0" | "currency1" | "hooks", Address>;
  return { currency0, currency1, fee: Number(terms.fee), tickSpacing: Number(terms.tickSpacing), hooks };
}
