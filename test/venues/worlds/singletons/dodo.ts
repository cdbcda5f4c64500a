import { type Abi, encodeFunctionData, type Hex, toEventSelector } from "viem";
import { type Address, toAddress } from "../../../../src/domain/address.ts";
import type { DodoRecord } from "../../../../src/venues/dodo/record.ts";
import type { Anvil } from "../anvil.ts";
import { compiled } from "../compiled.ts";
import { mintedToken, setBalance, transferData } from "../traffic/minted-tokens.ts";

/** A contract as it was compiled. */
interface Contract {
  readonly abi: Abi;
  readonly bytecode: Hex;
}

/** Terms that a pool is made with; its base token is the first. */
export interface DodoTerms {
  readonly kind: "DVM" | "DPP" | "DSP";
  readonly tokens: readonly [Address, Address];
  readonly balances: readonly [bigint, bigint];
  readonly i: bigint;
  readonly k: bigint;
  readonly lpFee: bigint;
  readonly maintainerFee: bigint;
}

/** DODO V2 on a test's chain: of the devnet's contracts, or of its makers'. */
export interface DodoWorld {
  readonly record: DodoRecord;
  create(terms: DodoTerms): Promise<Address>;
}

const dodoPoolAbi = compiled("DevnetDodoPool").abi;
const TERMS = { protocol: "dodo", source: "DODO_V2", fromBlock: 0n } as const;
const VERSIONS = { DVM: "DVM 1.0.2", DPP: "DPP 1.0.0", DSP: "DSP 1.0.1" } as const;
const NOBODY = toAddress(`0x${"00".repeat(20)}`);
export const MAINTAINER = toAddress(`0x${"11".repeat(20)}`);
const CREATED = ["NewDVM", "NewDPP", "NewDSP"].map((name) =>
  toEventSelector(`${name}(address,address,address,address)`),
);

/** Two tokens of these decimals. */
export async function tokensOf(anvil: Anvil, decimals: readonly [number, number]): Promise<[Address, Address]> {
  return [await mintedToken(anvil, decimals[0]), await mintedToken(anvil, decimals[1])];
}

/** The contracts of the devnet, of which the test's account owns every pool. */
export async function deployDodo(anvil: Anvil): Promise<DodoWorld> {
  const { abi, bytecode } = compiled("DevnetDodoFactory");
  const factory = await anvil.deploy(abi, bytecode, [MAINTAINER]);
  return {
    record: { ...TERMS, factories: [factory] },
    async create({ kind, tokens, balances, i, k, lpFee, maintainerFee }) {
      await anvil.send(factory, encodeFunctionData({ abi, functionName: "create", args: [VERSIONS[kind], ...tokens] }));
      const logs = await anvil.logsOf(await anvil.mine());
      const log = logs.find(({ topics: [topic] }) => topic !== undefined && CREATED.includes(topic));
      if (log === undefined) throw new Error("the factory announced no pool");
      const pool = toAddress(`0x${log.data.slice(-40)}`);
      for (const [index, token] of tokens.entries()) await anvil.send(token, transferData(pool, balances[index]!));
      await sendTo(anvil, pool, "reset", [lpFee, i, k]);
      await sendTo(anvil, pool, "setFees", [lpFee, NOBODY, maintainerFee]);
      await anvil.mine();
      return pool;
    },
  };
}

/** Pools of DODO's own sources, which another folder has compiled; the maintainer's fee is what its own model says. */
export async function deployDodoOfMakers(anvil: Anvil, of: (name: string) => Contract): Promise<DodoWorld> {
  const deploy = (name: string) => anvil.deploy(of(name).abi, of(name).bytecode);
  const send = (to: Address, name: string, functionName: string, args: readonly unknown[]) =>
    anvil.send(to, encodeFunctionData({ abi: of(name).abi, functionName, args }));
  const [model, implementation] = [await deploy("FeeRateModel"), await deploy("FeeRateDIP3Impl")];
  await send(model, "FeeRateModel", "initOwner", [anvil.account]);
  await send(model, "FeeRateModel", "setFeeProxy", [implementation]);
  await anvil.mine();
  return {
    record: { ...TERMS, factories: [model] },
    async create({ kind, tokens, balances, i, k, lpFee }) {
      const pool = await deploy(kind);
      for (const [index, token] of tokens.entries()) await setBalance(anvil, token, pool, balances[index]!);
      if (kind === "DPP") {
        await send(pool, kind, "init", [anvil.account, MAINTAINER, ...tokens, lpFee, model, k, i, false]);
      } else {
        await send(pool, kind, "init", [MAINTAINER, ...tokens, lpFee, model, i, k, false]);
        await send(pool, kind, "buyShares", [anvil.account]);
      }
      await anvil.mine();
      return pool;
    },
  };
}

/** Queues a call of a pool's function, for the test's account. */
export async function sendTo(
  anvil: Anvil,
  pool: Address,
  functionName: string,
  args: readonly unknown[],
): Promise<void> {
  await anvil.send(pool, encodeFunctionData({ abi: dodoPoolAbi, functionName, args }));
}

/** Payment for an amount that the contract itself makes at the head once it was sent that, or its refusal in words. */
export async function sellAt(
  anvil: Anvil,
  {
    pool,
    tokens,
    reserves,
  }: { readonly pool: Address; readonly tokens: readonly Address[]; readonly reserves: readonly bigint[] },
  { sell, amount }: { readonly sell: number; readonly amount: bigint },
): Promise<bigint | string> {
  await setBalance(anvil, tokens[sell]!, pool, reserves[sell]! + amount);
  const functionName = sell === 0 ? "sellBase" : "sellQuote";
  const data = encodeFunctionData({ abi: dodoPoolAbi, functionName, args: [anvil.account] });
  try {
    return BigInt(await anvil.rpc<Hex>("eth_call", [{ from: anvil.account, to: pool, data }, "latest"]));
  } catch (error) {
    return String(error);
  } finally {
    await setBalance(anvil, tokens[sell]!, pool, reserves[sell]!);
  }
}
