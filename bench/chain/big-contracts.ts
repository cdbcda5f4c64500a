/** Contracts of a synthetic chain: big-node.ts serves their answers. */
import { toFunctionSelector } from "viem";
import { AGGREGATE3 } from "../../src/chain/rpc/multicall.ts";
import type { Hex } from "../../src/domain/address.ts";
import { isRejection } from "../../src/pools/pool-math.ts";
import { stableswapMath } from "../../src/pools/stableswap/math.ts";
import type { StableswapState } from "../../src/pools/stableswap/state.ts";
import { POOLS_SLOT, slotsOf } from "../../src/venues/uniswap-v4/slots.ts";
import { type BigChain, CONTRACTS, type Kind, V4_KEY } from "./big-chain.ts";
import { runCallsCode } from "./run-calls-code.ts";

const selector = (signature: string) => toFunctionSelector(signature).slice(2);
const SELECTORS = {
  decimals: selector("decimals()"),
  getPair: selector("getPair(address,address)"),
  getReserves: selector("getReserves()"),
  getPool: selector("getPool(address,address,uint24)"),
  slot0: selector("slot0()"),
  liquidity: selector("liquidity()"),
  tickSpacing: selector("tickSpacing()"),
  tickBitmap: selector("tickBitmap(int16)"),
  ticks: selector("ticks(int24)"),
  extsload: selector("extsload(bytes32[])"),
  poolCount: selector("pool_count()"),
  poolList: selector("pool_list(uint256)"),
  coins: selector("coins(uint256)"),
  balances: selector("balances(uint256)"),
  fee: selector("fee()"),
  adminFee: selector("admin_fee()"),
  initialA: selector("initial_A()"),
  futureA: selector("future_A()"),
  initialATime: selector("initial_A_time()"),
  futureATime: selector("future_A_time()"),
  aPrecise: selector("A_precise()"),
  isKilled: selector("is_killed()"),
  getDy: selector("get_dy(int128,int128,uint256)"),
  getPoolTokens: selector("getPoolTokens(bytes32)"),
  getPoolId: selector("getPoolId()"),
  getNormalizedWeights: selector("getNormalizedWeights()"),
  getOwner: selector("getOwner()"),
  getSwapFeePercentage: selector("getSwapFeePercentage()"),
  getPausedState: selector("getPausedState()"),
  isPoolFromFactory: selector("isPoolFromFactory(address)"),
  version: selector("version()"),
} as const;
export const V3_FEE = 3_000;
export const V3_SPACING = 60;
/** Ticks of the one position that a pool has, in spacings from the price of 1. */
const REACH = 10;
export const PRICE = 2n ** 96n;
const DEEP = 10n ** 21n;
const SHALLOW = 10n ** 13n;
const HALF = 10n ** 18n / 2n;

export const word = (value: bigint | number) => BigInt.asUintN(256, BigInt(value)).toString(16).padStart(64, "0");
export const addressWord = (address: string) => address.slice(2).padStart(64, "0");

/** A dynamic array as ABI data has it, behind its offset. */
export function array(words: readonly string[]): string {
  return `${word(words.length)}${words.join("")}`;
}

export class BigContracts {
  readonly #chain: BigChain;
  /** Storage of the manager of V4: what is not there is zero. Its slots are hashes, which nobody can go back from. */
  readonly #slots = new Map<string, bigint>();

  constructor(chain: BigChain) {
    this.#chain = chain;
    const slots = this.#slots;
    for (let index = 0; index < chain.sizes.v4; index++) {
      const of = slotsOf(chain.idOf(index), POOLS_SLOT);
      slots.set(of.slot0.slice(2), PRICE | (BigInt(V4_KEY.fee) << 208n));
      if (!chain.isDeep("v4", index)) continue;
      const liquidity = this.#liquidityOf("v4", index);
      slots.set(of.liquidity.slice(2), liquidity);
      slots.set(of.bitmap(0).slice(2), 1n << BigInt(REACH));
      slots.set(of.bitmap(-1).slice(2), 1n << BigInt(256 - REACH));
      const [below, above] = [-REACH * V4_KEY.tickSpacing, REACH * V4_KEY.tickSpacing];
      slots.set(of.tick(below).slice(2), liquidity | (BigInt.asUintN(128, liquidity) << 128n));
      slots.set(of.tick(above).slice(2), liquidity | (BigInt.asUintN(128, -liquidity) << 128n));
    }
  }

  /**
   * The answer to a call, through Multicall3 and by creation code too, which has no address; undefined: it reverts. `data` is
   * without its prefix.
   */
  call(to: string, data: string, block: number): Hex | undefined {
    if (to === "") return runCallsCode(data, (target, given) => this.#answered(target, given, block) !== undefined);
    if (to !== CONTRACTS.multicall3) {
      const answer = this.#answered(to, data, block);
      return answer === undefined ? undefined : `0x${answer}`;
    }
    if (data.slice(0, 8) !== AGGREGATE3) return undefined;
    const hex = data.slice(8);
    const number = (at: number) => Number.parseInt(hex.slice(at, at + 64), 16);
    const count = number(64);
    const bodies: string[] = [];
    const offsets: string[] = [];
    let offset = 32 * count;
    for (let place = 0; place < count; place++) {
      const item = 128 + 2 * number(128 + 64 * place);
      const length = number(item + 192);
      const target = `0x${hex.slice(item + 24, item + 64)}`;
      const answer = this.#answered(target, hex.slice(item + 256, item + 256 + 2 * length), block);
      const bytes = answer ?? "";
      offsets.push(word(offset));
      // Answers end with whole words.
      bodies.push(`${word(answer === undefined ? 0 : 1)}${word(64)}${word(bytes.length / 2)}${bytes}`);
      offset += 96 + bytes.length / 2;
    }
    return `0x${word(32)}${word(count)}${offsets.join("")}${bodies.join("")}`;
  }

  #answered(to: string, data: string, block: number): string | undefined {
    const chain = this.#chain;
    const asked = data.slice(0, 8);
    const argument = (place: number) => data.slice(8 + 64 * place, 72 + 64 * place);
    const token = (place: number) => `0x${argument(place).slice(24)}`;
    if (to === CONTRACTS.v2 || to === CONTRACTS.v3) {
      const kind = to === CONTRACTS.v2 ? "v2" : "v3";
      if (kind === "v3" && Number.parseInt(argument(2), 16) !== V3_FEE) return word(0);
      const index = chain.between(kind, token(0), token(1));
      const isThere = index !== undefined && chain.blockOf(kind, index) <= block;
      return isThere ? addressWord(chain.poolAddress(kind, index)) : word(0);
    }
    if (to === CONTRACTS.v4) {
      const count = Number.parseInt(argument(1), 16);
      const held = Array.from({ length: count }, (_, place) => word(this.#slots.get(argument(2 + place)) ?? 0n));
      return asked === SELECTORS.extsload ? `${word(32)}${array(held)}` : undefined;
    }
    if (to === CONTRACTS.curve) return this.#ofList(asked, argument(0), block);
    if (to === CONTRACTS.balancer) return this.#ofVault(asked, argument(0));
    if (to === CONTRACTS.weightedFactory) return this.#ofFactory(asked, token(0));
    if (chain.isToken(to)) return asked === SELECTORS.decimals ? word(18) : undefined;
    for (const kind of ["v2", "v3", "curve", "balancer"] as const) {
      const index = chain.indexOf(kind, to);
      if (index === undefined) continue;
      if (kind === "v2") return asked === SELECTORS.getReserves ? this.#reserves(index, block) : undefined;
      if (kind === "v3") return this.#ofV3(index, asked, argument(0));
      if (kind === "curve") return this.#ofCurve(index, asked, argument);
      return this.#ofWeighted(index, asked);
    }
    return undefined;
  }

  #reserves(index: number, block: number): string {
    return `${this.#chain.reservesAt(index, block).map(word).join("")}${word(0)}`;
  }

  #ofV3(index: number, asked: string, argument: string): string | undefined {
    const liquidity = this.#liquidityOf("v3", index);
    switch (asked) {
      case SELECTORS.slot0:
        return [PRICE, 0, 0, 1, 1, 0, 1].map(word).join("");
      case SELECTORS.liquidity:
        return word(liquidity);
      case SELECTORS.tickSpacing:
        return word(V3_SPACING);
      case SELECTORS.fee:
        return word(V3_FEE);
      case SELECTORS.tickBitmap: {
        const place = Number(BigInt.asIntN(16, BigInt(`0x${argument}`)));
        return word(place === 0 ? 1n << BigInt(REACH) : place === -1 ? 1n << BigInt(256 - REACH) : 0n);
      }
      case SELECTORS.ticks: {
        const isBelow = BigInt.asIntN(24, BigInt(`0x${argument}`)) < 0n;
        return [liquidity, isBelow ? liquidity : -liquidity, 0, 0, 0, 0, 0, 1].map(word).join("");
      }
    }
    return undefined;
  }

  /** Curve's list; its pools have two coins, one amplification and no share that is traded. */
  #ofList(asked: string, argument: string, block: number): string | undefined {
    const count = this.#chain.announced("curve", 0, block)[1];
    if (asked === SELECTORS.poolCount) return word(count);
    const index = Number.parseInt(argument, 16);
    return asked === SELECTORS.poolList && index < count
      ? addressWord(this.#chain.poolAddress("curve", index))
      : undefined;
  }

  #ofCurve(index: number, asked: string, argument: (place: number) => string): string | undefined {
    const { balances, initialA, futureA, fee, adminFee } = this.#curveState(index);
    const number = (place: number) => Number.parseInt(argument(place), 16);
    switch (asked) {
      case SELECTORS.coins: {
        const coin = this.#chain.tokensOf("curve", index)[number(0)];
        return coin === undefined ? undefined : addressWord(coin);
      }
      case SELECTORS.balances: {
        const balance = balances[number(0)];
        return balance === undefined ? undefined : word(balance);
      }
      case SELECTORS.fee:
        return word(fee);
      case SELECTORS.adminFee:
        return word(adminFee);
      case SELECTORS.initialA:
      case SELECTORS.futureA:
      case SELECTORS.aPrecise:
        return word(asked === SELECTORS.initialA ? initialA : futureA);
      case SELECTORS.initialATime:
      case SELECTORS.futureATime:
      case SELECTORS.isKilled:
        return word(0);
      case SELECTORS.getDy: {
        const swap = { sell: number(0), buy: number(1) };
        const quote = stableswapMath.quoteExactIn(this.#curveState(index), swap, BigInt(`0x${argument(2)}`), 0n);
        return isRejection(quote) ? undefined : word(quote.amount);
      }
    }
    return undefined;
  }

  #curveState(index: number): StableswapState {
    const balance = this.#balanceOf("curve", index);
    return {
      ...{ balances: [balance, balance], rates: [10n ** 18n, 10n ** 18n], fee: 4_000_000n, adminFee: 5_000_000_000n },
      ...{ initialA: 20_000n, futureA: 20_000n, initialATime: 0n, futureATime: 0n, aPrecision: 100n },
      ...{ generation: "old", killed: false },
    };
  }

  #ofVault(asked: string, id: string): string | undefined {
    if (asked === SELECTORS.getPausedState) return [0, 0, 0].map(word).join("");
    const index = this.#chain.indexOf("balancer", `0x${id.slice(0, 40)}`);
    if (asked !== SELECTORS.getPoolTokens || index === undefined) return undefined;
    const balance = word(this.#balanceOf("balancer", index));
    const tokens = this.#chain.tokensOf("balancer", index).map(addressWord);
    return `${[96, 192, 0].map(word).join("")}${array(tokens)}${array([balance, balance])}`;
  }

  #ofFactory(asked: string, pool: string): string | undefined {
    if (asked === SELECTORS.isPoolFromFactory) return word(this.#chain.indexOf("balancer", pool) === undefined ? 0 : 1);
    return asked === SELECTORS.version ? `${word(32)}${array([])}` : undefined;
  }

  #ofWeighted(index: number, asked: string): string | undefined {
    switch (asked) {
      case SELECTORS.getPoolId:
        return this.#chain.balancerId(index).slice(2);
      case SELECTORS.getNormalizedWeights:
        return `${word(32)}${array([HALF, HALF].map(word))}`;
      case SELECTORS.getOwner:
        return word(0);
      case SELECTORS.getSwapFeePercentage:
        return word(3n * 10n ** 15n);
      case SELECTORS.getPausedState:
        return [0, 0, 0].map(word).join("");
    }
    return undefined;
  }

  #balanceOf(kind: Kind, index: number): bigint {
    return this.#chain.isDeep(kind, index) ? DEEP : SHALLOW;
  }

  #liquidityOf(kind: Kind, index: number): bigint {
    return 100n * this.#balanceOf(kind, index);
  }
}
