import { type Abi, encodeFunctionData } from "viem";
import type { Address } from "../../../../src/domain/address.ts";
import type { VenueRecord } from "../../../../src/market/venue-record.ts";
import { compiled } from "../../../venues/worlds/compiled.ts";
import { deployDodo } from "../../../venues/worlds/singletons/dodo.ts";
import { deployEuler } from "../../../venues/worlds/singletons/euler-swap.ts";
import { deployMaverick } from "../../../venues/worlds/singletons/maverick.ts";
import { transferData } from "../../../venues/worlds/traffic/minted-tokens.ts";
import { type DevnetPair, type DevnetPlace, tickOf } from "./place.ts";

const USD_HELD = 1_000_000;
const [SPREAD, COEFF, FEE] = [4n * 10n ** 14n, 10n ** 11n, 25];
const [MAX_GAMMA, MAX_NOTIONAL] = [5n * 10n ** 16n, 500_000_000_000n];
const [STALE_SECONDS, BOUND, MAX_PRICE] = [10n ** 9n, 10n ** 16n, (1n << 128n) - 1n];

/** A pool of WOOFi's: WETH and LOCK against USDH at the devnet's prices. */
export async function addWoofi(place: DevnetPlace): Promise<readonly VenueRecord[]> {
  const [oracleCode, poolCode] = [compiled("DevnetWooOracle"), compiled("DevnetWooPool")];
  const bases = ["WETH", "LOCK"].map((symbol) => baseOf(place.pair("USDH", symbol)));
  const quote = bases[0]!.quote;
  const oracle = await place.deploy(oracleCode.abi, oracleCode.bytecode, [place.account]);
  const pool = await place.deploy(poolCode.abi, poolCode.bytecode, [quote, oracle, true, place.account]);
  const send = (to: typeof pool, abi: Abi, functionName: string, ...args: readonly unknown[]) =>
    place.send(to, encodeFunctionData({ abi, functionName, args }));
  await send(oracle, oracleCode.abi, "set", pool, STALE_SECONDS, BOUND);
  const { timestamp } = await place.head();
  for (const { token, price } of bases) {
    await send(pool, poolCode.abi, "list", token);
    await send(oracle, oracleCode.abi, "post", token, price, SPREAD, COEFF, timestamp);
    await send(oracle, oracleCode.abi, "refer", token, price, false, 0n, MAX_PRICE);
  }
  for (const { token, held } of [{ token: quote, held: BigInt(USD_HELD) * 10n ** 6n }, ...bases]) {
    await place.send(token, transferData(pool, held));
    await send(pool, poolCode.abi, "sync", token);
    await send(pool, poolCode.abi, "setTokenInfo", token, FEE, MAX_GAMMA, MAX_NOTIONAL);
  }
  await place.mine();
  return [{ protocol: "woofi", source: "WOOFi", pool, oracle, helper: pool, fromBlock: 0n } as VenueRecord];
}

/** A token of eighteen decimals against USDH: its price in USDH with eight decimals, and its worth in base units. */
function baseOf({ tokens, decimals, price }: DevnetPair) {
  const at = decimals.indexOf(18);
  const dollars = (at === 0 ? price : 1 / price) * 10 ** (18 - 6);
  return {
    ...{ token: tokens[at]!, quote: tokens[1 - at]!, price: BigInt(Math.round(dollars * 1e8)) },
    held: BigInt(Math.floor(USD_HELD / dollars)) * 10n ** 18n,
  };
}

/** A pool of each kind of DODO V2's, in balance at the devnet's prices; the vending machine's first traders have been there. */
export async function addDodo(place: DevnetPlace): Promise<readonly VenueRecord[]> {
  const { record, create } = await deployDodo(place);
  for (const [kind, one, other] of [
    ["DVM", "LOCK", "USDH"],
    ["DPP", "DAM", "WETH"],
    ["DSP", "USDH", "DSD"],
  ] as const) {
    const pair = place.pair(one, other);
    const quote = BigInt(Math.floor(200_000 * pair.dollar));
    const base = BigInt(Math.floor((200_000 * pair.dollar) / pair.price));
    await create({
      ...{ kind, tokens: pair.tokens, balances: [base, quote], i: BigInt(Math.floor(pair.price * 1e18)) },
      ...{ k: kind === "DSP" ? 10n ** 15n : 10n ** 17n, lpFee: 8n * 10n ** 14n, maintainerFee: 2n * 10n ** 14n },
    });
  }
  return [record as VenueRecord];
}

/** A pool of each version of EulerSwap at the devnet's prices; the owner may change the second's terms, and has to be allowed. */
export async function addEuler(place: DevnetPlace): Promise<readonly VenueRecord[]> {
  const pay = async (token: Address, pool: Address, amount: bigint) => {
    await place.send(token, transferData(pool, amount));
  };
  const { record, create } = await deployEuler(place, compiled, pay);
  for (const [version, one, other, concentration] of [
    ["v1", "USDH", "DSD", 10n ** 18n - 10n ** 14n],
    ["v1", "LOCK", "USDH", 5n * 10n ** 17n],
    ["v2", "DAM", "WETH", 9n * 10n ** 17n],
  ] as const) {
    const pair = place.pair(one, other);
    const held = [200_000 * (pair.dollar / pair.price), 200_000 * pair.dollar].map((worth) =>
      BigInt(Math.floor(worth)),
    );
    const reserves = [held[0]!, held[1]!] as const;
    const vaults = [reserves[0] / 3n, reserves[1] / 3n] as const;
    await create({
      ...{
        version,
        tokens: pair.tokens,
        held: reserves,
        reserves,
        equilibrium: reserves,
        maxIn: vaults,
        maxOut: vaults,
      },
      ...{ concentrations: [concentration, concentration], fees: [10n ** 14n, 10n ** 14n] },
      prices:
        pair.price < 1
          ? [BigInt(Math.round(pair.price * 1e18)), 10n ** 18n]
          : [10n ** 18n, BigInt(Math.round(1e18 / pair.price))],
    });
  }
  return [record as VenueRecord];
}

const [STATIC, ALL_KINDS] = [1, 15];
/** Ticks on either side of the price, each of so many dollars of one token. */
const [REACH, USD_IN_TICK] = [12, 40_000];

/** Two pools of Maverick V2's at the devnet's prices: one whose bins stay, and one that may have some that move. */
export async function addMaverick(place: DevnetPlace): Promise<readonly VenueRecord[]> {
  const { record, create } = await deployMaverick(place);
  for (const [one, other, tickSpacing, kinds] of [
    ["USDH", "WETH", 50, STATIC],
    ["DSD", "WETH", 100, ALL_KINDS],
  ] as const) {
    const { tokens, decimals, price, dollar } = place.pair(one, other);
    const scales = decimals.map((digits) => 10 ** (18 - digits)) as [number, number];
    const whole = (price * scales[1]) / scales[0];
    const activeTick = Math.floor(tickOf({ price: whole }) / tickSpacing);
    const b = USD_IN_TICK * dollar * scales[1];
    const held = [BigInt(Math.floor(b / whole)), BigInt(Math.floor(b))] as const;
    const ticks = Array.from({ length: 2 * REACH + 1 }, (_, at) => activeTick - REACH + at).map((index) => ({
      ...{ index, reserveA: index <= activeTick ? held[0] : 0n, reserveB: index >= activeTick ? held[1] : 0n },
    }));
    await create({ tokens, decimals, fees: [10n ** 15n, 2n * 10n ** 15n], tickSpacing, activeTick, kinds, ticks });
  }
  return [record as VenueRecord];
}
