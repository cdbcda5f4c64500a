import { type Abi, encodeFunctionData, type Hex, toEventSelector } from "viem";
import { type Address, toAddress } from "../../../../src/domain/address.ts";
import type { EulerSwapState, EulerSwapVersion } from "../../../../src/pools/euler-swap/state.ts";
import type { EulerSwapRecord } from "../../../../src/venues/euler-swap/record.ts";
import type { Anvil } from "../anvil.ts";
import { compiled } from "../compiled.ts";
import { mintedToken, setBalance, transferData } from "../traffic/minted-tokens.ts";

/** A contract as it was compiled. */
interface Contract {
  readonly abi: Abi;
  readonly bytecode: Hex;
}

/** Terms that a pool is made with; the limits are those of its vaults. */
export interface EulerTerms extends Omit<EulerSwapState, "version"> {
  readonly version: EulerSwapVersion;
  readonly tokens: readonly [Address, Address];
  /** Balances of the pool. */
  readonly held: readonly [bigint, bigint];
  readonly minReserves?: readonly [bigint, bigint];
  readonly expiration?: bigint;
  readonly hooked?: number;
}

/** EulerSwap on a test's chain. */
export interface EulerWorld {
  readonly record: EulerSwapRecord;
  create(terms: EulerTerms): Promise<Address>;
}

export const eulerPoolAbi = compiled("DevnetEulerPool").abi;
const ANNOUNCED = [
  toEventSelector("PoolDeployed(address,address,address,address)"),
  toEventSelector(
    "PoolRegistered(address,address,address,address,(address,address,address,address,address,address),uint256)",
  ),
];
const NOBODY = toAddress(`0x${"00".repeat(20)}`);

/** Two tokens of these decimals, in the order of their addresses. */
export async function tokensOf(anvil: Anvil, decimals: readonly [number, number]): Promise<[Address, Address]> {
  const first = await mintedToken(anvil, decimals[0]);
  for (;;) {
    const second = await mintedToken(anvil, decimals[1]);
    if (first < second) return [first, second];
  }
}

/** The contracts of the devnet, or others with their interface; the test's account owns every pool. */
export async function deployEuler(
  anvil: Anvil,
  of: (name: string) => Contract = compiled,
  pay = (token: Address, pool: Address, amount: bigint) => setBalance(anvil, token, pool, amount),
): Promise<EulerWorld> {
  const { abi, bytecode } = of("DevnetEulerFactory");
  const factory = await anvil.deploy(abi, bytecode);
  return {
    record: { protocol: "euler-swap", source: "EulerSwap", fromBlock: 0n, factory, registry: factory },
    async create(terms) {
      const args = [terms.version === "v2", ...terms.tokens];
      await anvil.send(factory, encodeFunctionData({ abi, functionName: "create", args }));
      const logs = await anvil.logsOf(await anvil.mine());
      const log = logs.find(({ topics: [topic] }) => topic !== undefined && ANNOUNCED.includes(topic));
      if (log === undefined) throw new Error("the factory announced no pool");
      const pool = toAddress(`0x${log.data.slice(26, 66)}`);
      for (const [index, token] of terms.tokens.entries()) await pay(token, pool, terms.held[index]!);
      await configure(anvil, pool, terms);
      await sendTo(anvil, pool, "setVaults", [terms.maxIn, terms.maxOut]);
      await anvil.mine();
      return pool;
    },
  };
}

/** Queues a reconfiguration. */
export function configure(anvil: Anvil, pool: Address, terms: Omit<EulerTerms, "held" | "tokens">): Promise<void> {
  const { equilibrium, prices, concentrations, fees, minReserves = [0n, 0n], expiration = 0n, hooked = 0 } = terms;
  return sendTo(anvil, pool, "configure", [
    {
      ...{
        equilibriumReserve0: equilibrium[0],
        equilibriumReserve1: equilibrium[1],
        priceX: prices[0],
        priceY: prices[1],
      },
      ...{ minReserve0: minReserves[0], minReserve1: minReserves[1], fee0: fees[0], fee1: fees[1] },
      ...{ concentrationX: concentrations[0], concentrationY: concentrations[1] },
      ...{ expiration: Number(expiration), swapHookedOperations: hooked, swapHook: NOBODY },
    },
    terms.reserves,
  ]);
}

/** Queues a call of a pool's function, for the test's account. */
export async function sendTo(
  anvil: Anvil,
  pool: Address,
  functionName: string,
  args: readonly unknown[],
): Promise<void> {
  await anvil.send(pool, encodeFunctionData({ abi: eulerPoolAbi, functionName, args }));
}

/** A trade: the token sold, its amount and what is asked of the other. */
interface EulerTrade {
  readonly sell: 0 | 1;
  readonly sold: bigint;
  readonly bought: bigint;
}

/** Queues a trade, paid before the pool is called. */
export async function tradeWith(
  anvil: Anvil,
  { pool, tokens }: { readonly pool: Address; readonly tokens: readonly [Address, Address] },
  { sell, sold, bought }: EulerTrade,
): Promise<void> {
  await anvil.send(tokens[sell], transferData(pool, sold));
  await sendTo(anvil, pool, "swap", [...(sell === 0 ? [0n, bought] : [bought, 0n]), anvil.account, "0x"]);
}
