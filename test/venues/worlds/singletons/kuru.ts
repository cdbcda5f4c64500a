import { type Abi, encodeFunctionData, erc20Abi, type Hex, numberToHex, parseAbi } from "viem";
import { type Address, NATIVE_TOKEN, toAddress, ZERO_ADDRESS } from "../../../../src/domain/address.ts";
import type { PoolRef } from "../../../../src/market/liquidity-source.ts";
import type { KuruState } from "../../../../src/pools/kuru/state.ts";
import type { KuruRecord } from "../../../../src/venues/kuru/record.ts";
import { kuru } from "../../../../src/venues/kuru/source.ts";
import type { Anvil } from "../anvil.ts";
import { compiled } from "../compiled.ts";
import { transferData } from "../traffic/minted-tokens.ts";

/** Terms that a market is made with. Base and quote token; the native token is NATIVE_TOKEN. */
export interface KuruTerms {
  readonly tokens: readonly [Address, Address];
  readonly precisions: readonly [bigint, bigint];
  readonly takerFee: number;
  readonly spread: number;
  /** Amounts of both tokens that the margin account gets, with the devnet's contracts. Absent: more than any trade pays. */
  readonly held?: readonly [bigint, bigint];
}

/** An order of a maker's. With a flipped price it turns round to the other side once it is filled. */
export interface KuruOrder {
  readonly isBuy: boolean;
  readonly price: bigint;
  readonly size: bigint;
  readonly flippedPrice?: bigint;
}

/** First orders of a vault; prices in parts of 10^18. */
export interface KuruVault {
  readonly ask: { readonly price: bigint; readonly size: bigint };
  readonly bid: { readonly price: bigint; readonly size: bigint };
}

/** Kuru on a test's chain: of the devnet's contracts, or of its makers'. Calls are queued. */
export interface KuruWorld {
  readonly record: KuruRecord;
  /** Makes a market, and mines it. */
  create(terms: KuruTerms): Promise<Address>;
  order(market: Address, order: KuruOrder): Promise<void>;
  vault(market: Address, vault: KuruVault): Promise<void>;
}

const kuruMarketAbi = parseAbi([
  "function placeAndExecuteMarketBuy(uint96 size, uint256 least, bool ofMargin, bool orNothing) payable returns (uint256)",
  "function placeAndExecuteMarketSell(uint96 size, uint256 least, bool ofMargin, bool orNothing) payable returns (uint256)",
  "function addBuyOrder(uint32 price, uint96 size, bool postOnly)",
  "function addSellOrder(uint32 price, uint96 size, bool postOnly)",
  "function addFlipBuyOrder(uint32 price, uint32 flippedPrice, uint96 size, bool orRevert)",
  "function addFlipSellOrder(uint32 price, uint32 flippedPrice, uint96 size, bool orRevert)",
  "function updateVaultOrdSz(uint96 askSize, uint96 bidSize, uint256 askPrice, uint256 bidPrice, bool anew)",
  "function toggleMarket(uint8 state)",
  "function removeLevel(uint32 price, bool isBuy)",
  "function getVaultParams() view returns (address, uint256, uint96, uint256, uint96, uint96, uint96, uint96)",
]);
const routerAbi = parseAbi([
  "function initialize(address owner, address account, address book, address vault, address forwarder)",
  "function deployProxy(uint8 kind, address base, address quote, uint96 sizes, uint32 prices, uint32 tick, uint96 least, uint96 most, uint256 takerFee, uint256 makerFee, uint96 spread) returns (address)",
  "function marginAccountAddress() view returns (address)",
]);
const accountAbi = parseAbi([
  "function initialize(address owner, address router, address collector, address forwarder)",
  "function toggleProtocolState(bool isPaused)",
  "function deposit(address user, address token, uint256 amount) payable",
]);

/** More of a token than any market pays. */
const PLENTY = 1n << 170n;
const MUCH_NATIVE = 1n << 100n;
const MOST_SIZE = (1n << 96n) - 1n;
const MAKER_FEE = 0n;

/** The contracts of the devnet. */
export async function deployKuru(anvil: Anvil): Promise<KuruWorld> {
  const { abi, bytecode } = compiled("DevnetKuruRouter");
  const router = await anvil.deploy(abi, bytecode);
  let count = 0;
  const marginAccount = toAddress(await anvil.read<string>(router, routerAbi as Abi, "marginAccountAddress"));
  return {
    record: { protocol: "kuru", source: "Kuru", fromBlock: 0n, router, marginAccount },
    async create(terms) {
      for (const [at, token] of terms.tokens.entries()) {
        const amount = terms.held?.[at] ?? (token === NATIVE_TOKEN ? MUCH_NATIVE : PLENTY);
        if (token === NATIVE_TOKEN) await anvil.send(marginAccount, "0x", amount);
        else await anvil.send(token, transferData(marginAccount, amount));
      }
      return makeMarket(anvil, router, terms, count++);
    },
    order: (market, order) => sendOrder(anvil, market, order),
    async vault(market, vault) {
      await anvil.send(market, vaultData(vault));
    },
  };
}

/** Runtime codes of the makers' contracts, by their names. */
export type MakersCodes = Readonly<Record<"OrderBook" | "Router" | "MarginAccount" | "KuruAMMVault", Hex>>;

/** The makers' contracts, without the proxies of router and margin account. */
export async function deployKuruOfMakers(anvil: Anvil, codes: MakersCodes): Promise<KuruWorld> {
  const at = (count: number) => toAddress(`0x${(0xabc0000 + count).toString(16).padStart(40, "0")}`);
  const [router, marginAccount, book, vaultCode] = [at(1), at(2), at(3), at(4)];
  for (const [address, name] of [
    [router, "Router"],
    [marginAccount, "MarginAccount"],
    [book, "OrderBook"],
    [vaultCode, "KuruAMMVault"],
  ] as const)
    await anvil.rpc("anvil_setCode", [address, codes[name]]);
  let count = 0;
  const nobody = at(9);
  const initialize = { functionName: "initialize" } as const;
  await anvil.send(
    marginAccount,
    encodeFunctionData({ abi: accountAbi, ...initialize, args: [anvil.account, router, nobody, nobody] }),
  );
  await anvil.send(
    router,
    encodeFunctionData({
      abi: routerAbi,
      ...initialize,
      args: [anvil.account, marginAccount, book, vaultCode, nobody],
    }),
  );
  const vaultOf = async (market: Address) => {
    const [vault] = await anvil.read<readonly [string]>(market, kuruMarketAbi as Abi, "getVaultParams");
    return toAddress(vault);
  };
  const deposit = async (user: Address, token: Address) => {
    const isNative = token === NATIVE_TOKEN;
    const [amount, asset] = [isNative ? MUCH_NATIVE : PLENTY, isNative ? ZERO_ADDRESS : token];
    const data = encodeFunctionData({ abi: accountAbi, functionName: "deposit", args: [user, asset, amount] });
    await anvil.send(marginAccount, data, isNative ? amount : 0n);
  };
  return {
    record: { protocol: "kuru", source: "Kuru", fromBlock: 0n, router, marginAccount },
    async create(terms) {
      const market = await makeMarket(anvil, router, terms, count++);
      const vault = await vaultOf(market);
      for (const token of terms.tokens) {
        if (token !== NATIVE_TOKEN) await anvil.send(token, approveData(marginAccount));
        for (const user of [anvil.account, vault]) await deposit(user, token);
      }
      await anvil.mine();
      return market;
    },
    order: (market, order) => sendOrder(anvil, market, order),
    async vault(market, vault) {
      const from = await vaultOf(market);
      await anvil.rpc("anvil_impersonateAccount", [from]);
      await anvil.rpc("anvil_setBalance", [from, numberToHex(10n ** 20n)]);
      await anvil.rpc("eth_sendTransaction", [{ from, to: market, data: vaultData(vault), gas: "0xf4240" }]);
    },
  };
}

/** The router makes no two markets of the same terms: they differ in the size of the largest order. */
async function makeMarket(anvil: Anvil, router: Address, terms: KuruTerms, count: number): Promise<Address> {
  const [base, quote] = terms.tokens.map((token) => (token === NATIVE_TOKEN ? ZERO_ADDRESS : token));
  const kind = base === ZERO_ADDRESS ? 1 : quote === ZERO_ADDRESS ? 2 : 0;
  const [sizes, prices] = terms.precisions;
  const args = [kind, base!, quote!, sizes, Number(prices), 1, 1n, MOST_SIZE - BigInt(count)] as const;
  const fees = [BigInt(terms.takerFee), MAKER_FEE, BigInt(terms.spread)] as const;
  const data = encodeFunctionData({ abi: routerAbi, functionName: "deployProxy", args: [...args, ...fees] });
  await anvil.send(router, data);
  const logs = await anvil.logsOf(await anvil.mine());
  const made = logs.find(({ address }) => address === router);
  if (made === undefined) throw new Error("no market was made");
  const market = toAddress(`0x${made.data.slice(2 + 2 * 64 + 24, 2 + 3 * 64)}`);
  for (const token of terms.tokens) if (token !== NATIVE_TOKEN) await anvil.send(token, approveData(market));
  await anvil.mine();
  return market;
}

function approveData(spender: Address): Hex {
  return encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [spender, 1n << 220n] });
}

async function sendOrder(anvil: Anvil, market: Address, { isBuy, price, size, flippedPrice }: KuruOrder) {
  const data =
    flippedPrice === undefined
      ? encodeFunctionData({
          abi: kuruMarketAbi,
          functionName: isBuy ? "addBuyOrder" : "addSellOrder",
          args: [Number(price), size, false],
        })
      : encodeFunctionData({
          abi: kuruMarketAbi,
          functionName: isBuy ? "addFlipBuyOrder" : "addFlipSellOrder",
          args: [Number(price), Number(flippedPrice), size, true],
        });
  await anvil.send(market, data);
}

/** Calldata of another function of a market. */
export function marketCall(functionName: "removeLevel" | "toggleMarket", args: readonly unknown[]): Hex {
  return encodeFunctionData({ abi: kuruMarketAbi as Abi, functionName, args });
}

/** Calldata of a function of the margin account. */
export function accountCall(functionName: "toggleProtocolState", args: readonly [boolean]): Hex {
  return encodeFunctionData({ abi: accountAbi, functionName, args });
}

function vaultData({ ask, bid }: KuruVault): Hex {
  const args = [ask.size, bid.size, ask.price, bid.price, false] as const;
  return encodeFunctionData({ abi: kuruMarketAbi, functionName: "updateVaultOrdSz", args });
}

/** A market as its source refers to it. */
export function refOf(market: Address, tokens: readonly Address[]): PoolRef {
  return { id: market, address: market, tokens, terms: {} };
}

/** A market as its source reads it at the head. */
export async function readMarket(
  anvil: Anvil,
  { record }: KuruWorld,
  market: Address,
  tokens: readonly Address[],
): Promise<KuruState> {
  const [found] = await kuru(record).sync(anvil.reader, [refOf(market, tokens)], await anvil.head());
  if (found?.curve !== "kuru") throw new Error("the market is not read");
  return found.state;
}

/** A market order for an amount of base units, of which the market takes whole parts. */
export interface MarketOrder {
  readonly to: Address;
  readonly data: Hex;
  readonly value: bigint;
}

/** The order that sells an amount of the token at `sold`. All of native token is sent along. */
export function marketOrder(market: Address, { tokens, state, sold, amount }: MarketOrderTerms): MarketOrder {
  const size = (amount * state.precisions[sold]) / state.units[sold];
  const functionName = sold === 0 ? "placeAndExecuteMarketSell" : "placeAndExecuteMarketBuy";
  const data = encodeFunctionData({ abi: kuruMarketAbi, functionName, args: [size, 0n, false, true] });
  return { to: market, data, value: tokens[sold] === NATIVE_TOKEN ? amount : 0n };
}

interface MarketOrderTerms {
  readonly tokens: readonly Address[];
  readonly state: KuruState;
  readonly sold: 0 | 1;
  readonly amount: bigint;
}

/** Payment by the market's own word at the head, or its refusal in words. */
export async function paidAt(anvil: Anvil, { to, data, value }: MarketOrder): Promise<bigint | string> {
  try {
    const call = { from: anvil.account, to, data, value: numberToHex(value), gas: "0x1dcd6500" };
    return BigInt(await anvil.rpc<Hex>("eth_call", [call, "latest"]));
  } catch (error) {
    return String(error);
  }
}
