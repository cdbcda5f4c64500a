import { type Abi, encodeFunctionData, type Hex } from "viem";
import { type Address, ZERO_ADDRESS } from "../../../../src/domain/address.ts";
import type { WoofiRecord } from "../../../../src/venues/woofi/record.ts";
import type { Anvil } from "../anvil.ts";
import { compiled } from "../compiled.ts";
import { mintedToken, setBalance } from "../traffic/minted-tokens.ts";

/** A contract as it was compiled. */
interface Contract {
  readonly abi: Abi;
  readonly bytecode: Hex;
}

/** Numbers of a token at the pool and, but for the quote token, at the oracle. */
export interface WooToken {
  readonly reserve: bigint;
  readonly feeRate: number;
  readonly maxGamma: bigint;
  readonly maxNotional: bigint;
  readonly price: bigint;
  readonly spread: bigint;
  readonly coeff: bigint;
  /** Reference price, which stands in for a stale one where it is preferred. */
  readonly reference: bigint;
  readonly prefersReference: boolean;
}

/** A pool of WOOFi on a test's chain, its quote token first. */
export interface WooWorld {
  readonly record: WoofiRecord;
  readonly tokens: readonly Address[];
  readonly decimals: readonly number[];
  /** Queues what puts the pool into a state: numbers in token order, prices of `at`. */
  write(tokens: readonly WooToken[], at: bigint): Promise<void>;
}

const poolAbi = compiled("DevnetWooPool").abi;
const oracleAbi = compiled("DevnetWooOracle").abi;
const TERMS = { protocol: "woofi", source: "WOOFi", fromBlock: 0n } as const;
/** Beyond its reserve the pool holds so much of each token: what is sold has come in already. */
const SENT = 1n << 150n;
export const BOUND = 10n ** 16n;
export const STALE_SECONDS = 300n;
const MAX_PRICE = (1n << 128n) - 1n;

async function tokensOf(anvil: Anvil, decimals: readonly number[]) {
  const [quote, ...others] = await Promise.resolve(
    decimals.reduce<Promise<readonly [Address, number][]>>(async (made, digits) => {
      return [...(await made), [await mintedToken(anvil, digits), digits]];
    }, Promise.resolve([])),
  );
  return [quote!, ...others.sort(([one], [other]) => (one < other ? -1 : 1))];
}

/** The contracts of the devnet, of tokens of these decimals, the quote token's first; `halvesSpread` tells the version. */
export async function deployWoofi(
  anvil: Anvil,
  { decimals, halvesSpread = true }: { readonly decimals: readonly number[]; readonly halvesSpread?: boolean },
): Promise<WooWorld> {
  const made = await tokensOf(anvil, decimals);
  const tokens = made.map(([token]) => token);
  const [oracleCode, poolCode] = [compiled("DevnetWooOracle"), compiled("DevnetWooPool")];
  const oracle = await anvil.deploy(oracleCode.abi, oracleCode.bytecode, [anvil.account]);
  const pool = await anvil.deploy(poolCode.abi, poolCode.bytecode, [tokens[0], oracle, halvesSpread, anvil.account]);
  const send = (to: Address, abi: Abi, functionName: string, ...args: readonly unknown[]) =>
    anvil.send(to, encodeFunctionData({ abi, functionName, args }));
  await send(oracle, oracleAbi, "set", pool, STALE_SECONDS, BOUND);
  for (const token of tokens.slice(1)) await send(pool, poolAbi, "list", token);
  await anvil.mine();
  return {
    record: { ...TERMS, pool, oracle, helper: pool },
    tokens,
    decimals: made.map(([, digits]) => digits),
    async write(states, at) {
      for (const [index, token] of tokens.entries()) {
        const { reserve, feeRate, maxGamma, maxNotional, ...prices } = states[index]!;
        const unclaimed = index === 0 ? await anvil.read<bigint>(pool, poolAbi, "unclaimedFee") : 0n;
        await setBalance(anvil, token, pool, reserve + unclaimed);
        await send(pool, poolAbi, "sync", token);
        await send(pool, poolAbi, "setTokenInfo", token, feeRate, maxGamma, maxNotional);
        if (index === 0) continue;
        await send(oracle, oracleAbi, "post", token, prices.price, prices.spread, prices.coeff, at);
        await send(oracle, oracleAbi, "refer", token, prices.reference, prices.prefersReference, 0n, MAX_PRICE);
      }
    },
  };
}

/** Contracts of WOOFi's own sources, which another folder has compiled; reference prices come from feeds of ours. */
export async function deployWoofiOfMakers(
  anvil: Anvil,
  of: (name: string) => Contract,
  { decimals, version }: { readonly decimals: readonly number[]; readonly version: "WooPPV2" | "WooPPV2_FS" },
): Promise<WooWorld> {
  const made = await tokensOf(anvil, decimals);
  const tokens = made.map(([token]) => token);
  const deploy = (name: string, args: readonly unknown[] = []) => anvil.deploy(of(name).abi, of(name).bytecode, args);
  const feed = compiled("PriceAggregator");
  const [oracle, pool] = [await deploy("WooracleV2_2"), await deploy(version, [tokens[0]])];
  const helper = await deploy("IntegrationHelper", [tokens[0], tokens.slice(1)]);
  const send = (to: Address, abi: Abi, functionName: string, ...args: readonly unknown[]) =>
    anvil.send(to, encodeFunctionData({ abi, functionName, args }));
  const [asPool, asOracle] = [of(version).abi, of("WooracleV2_2").abi];
  const feeds: Address[] = [];
  for (const _ of tokens) feeds.push(await anvil.deploy(feed.abi, feed.bytecode, [8]));
  await send(pool, asPool, "init", oracle, anvil.account);
  await send(oracle, asOracle, "setWooPP", pool);
  await send(oracle, asOracle, "setGuardian", anvil.account, true);
  await send(feeds[0]!, feed.abi, "tell", 10n ** 8n, 1n);
  await send(oracle, asOracle, "setQuoteToken", tokens[0], feeds[0]);
  for (const token of tokens.slice(1)) await send(oracle, asOracle, "setRange", token, 0n, MAX_PRICE);
  await anvil.mine();
  return {
    record: { ...TERMS, pool, oracle, helper },
    tokens,
    decimals: made.map(([, digits]) => digits),
    async write(states, at) {
      for (const [index, token] of tokens.entries()) {
        const { reserve, feeRate, maxGamma, maxNotional, ...prices } = states[index]!;
        await setBalance(anvil, token, pool, reserve);
        await send(pool, asPool, "sync", token);
        await send(pool, asPool, "setTokenInfo", token, feeRate, maxGamma, maxNotional);
        if (index === 0) continue;
        await send(feeds[index]!, feed.abi, "tell", prices.reference, at);
        await send(oracle, asOracle, "setCLOracle", token, feeds[index], prices.prefersReference);
        // From no price on the spread is the one that is posted.
        for (const price of [0n, prices.price])
          await send(oracle, asOracle, "postState", token, price, prices.spread, prices.coeff, at);
      }
    },
  };
}

/** Payment for an amount that the contract itself makes at the head, or its refusal in words. */
export async function swapAt(
  anvil: Anvil,
  { record, tokens }: Pick<WooWorld, "record" | "tokens">,
  swap: { readonly sell: number; readonly buy: number; readonly amount: bigint },
): Promise<bigint | string> {
  const args = [tokens[swap.sell], tokens[swap.buy], swap.amount, 0n, anvil.account, ZERO_ADDRESS];
  const data = encodeFunctionData({ abi: poolAbi, functionName: "swap", args });
  try {
    return BigInt(await anvil.rpc<Hex>("eth_call", [{ from: anvil.account, to: record.pool, data }, "latest"]));
  } catch (error) {
    return String(error);
  }
}

/** Sends what is sold beforehand: the pool holds so much of each token beyond its reserve. */
export async function sendAll(anvil: Anvil, { record, tokens }: WooWorld): Promise<void> {
  for (const token of tokens) {
    const held = await anvil.read<bigint>(token, compiled("DevnetToken").abi, "balanceOf", [record.pool]);
    await setBalance(anvil, token, record.pool, held + SENT);
  }
}
