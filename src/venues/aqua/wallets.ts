import { toFunctionSelector } from "viem";
import type { Address } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import type { Call, ChainReader } from "../../market/chain-reader.ts";
import { smaller } from "../../math/full-math.ts";
import type { AquaState } from "../../pools/aqua/state.ts";
import { callGroups } from "../reading/call-groups.ts";
import { uintAt, wordOf } from "../reading/words.ts";

const BALANCE = toFunctionSelector("balanceOf(address)");
const ALLOWANCE = toFunctionSelector("allowance(address,address)");
/** Wallets of a maker and a token that are read with a block; makers with the most of them, and the least of each token, go without. */
export const MAX_WALLETS = 2_048;

/** Balance that a maker has of a token, and what of it Aqua may take. */
export interface Wallet {
  readonly balance: bigint;
  readonly allowance: bigint;
}

/** One wallet that strategies pay from. */
interface WalletKey {
  readonly maker: Address;
  readonly token: Address;
}

/** A strategy that is to be read: its maker, its tokens, and what is known of them. */
interface Holder {
  readonly maker: Address;
  readonly tokens: readonly Address[];
  readonly held: Pick<AquaState, "wallets" | "allowances">;
}

const NOTHING: Wallet = { balance: 0n, allowance: 0n };

/** Wallets of some strategies at a block. */
export class Wallets {
  /** Wallets of a strategy that were not read. */
  static readonly UNREAD: Holder["held"] = { wallets: [0n, 0n], allowances: [0n, 0n] };

  readonly #wallets: ReadonlyMap<string, Wallet>;

  private constructor(wallets: ReadonlyMap<string, Wallet>) {
    this.#wallets = wallets;
  }

  /**
   * Reads wallets, each once however many strategies share it: no more than MAX_WALLETS, the makers in turn and those
   * with the most of their token first. A token that does not answer holds nothing.
   */
  static async read(
    { chain, at, aqua }: { readonly chain: ChainReader; readonly at: BlockRef; readonly aqua: Address },
    holders: readonly Holder[],
  ): Promise<Wallets> {
    const keys = bestFunded(holders);
    const answers = await callGroups(
      chain,
      keys.map(({ maker, token }): readonly Call[] => [
        { to: token, data: `${BALANCE}${wordOf(BigInt(maker))}`, isForeignCall: true },
        { to: token, data: `${ALLOWANCE}${wordOf(BigInt(maker))}${wordOf(BigInt(aqua))}`, isForeignCall: true },
      ]),
      at,
    );
    const entries = keys.map((key, index) => {
      const [balance, allowance] = (answers[index] ?? []).map((answer) => uintAt(answer ?? "0x", 0));
      return [nameOf(key), { balance: balance ?? 0n, allowance: allowance ?? 0n }] as const;
    });
    return new Wallets(new Map(entries));
  }

  /** Balances and allowances that a strategy's maker has of its two tokens. */
  of(maker: Address, tokens: readonly Address[]): Pick<AquaState, "wallets" | "allowances"> {
    const [first = NOTHING, second = NOTHING] = tokens.map((token) => this.#wallets.get(nameOf({ maker, token })));
    return { wallets: [first.balance, second.balance], allowances: [first.allowance, second.allowance] };
  }
}

function nameOf({ maker, token }: WalletKey): string {
  return `${maker}${token}`;
}

/**
 * Wallets of strategies, one of each maker in turn: anybody can make tokens, and ship them all beside one wallet that holds something.
 * Those that could pay the most of their token when they were last read come first.
 */
function bestFunded(holders: readonly Holder[]): readonly WalletKey[] {
  const byToken = new Map<Address, Map<Address, bigint>>();
  for (const { maker, tokens, held } of holders)
    for (const [index, token] of tokens.entries()) {
      const makers = byToken.get(token) ?? new Map<Address, bigint>();
      byToken.set(token, makers);
      const most = payable(held, index === 0 ? 0 : 1);
      makers.set(maker, most > (makers.get(maker) ?? -1n) ? most : (makers.get(maker) ?? 0n));
    }
  const ranked = [...byToken].flatMap(([token, makers]) =>
    [...makers]
      .sort(([, one], [, other]) => (one > other ? -1 : one < other ? 1 : 0))
      .map(([maker], rank) => ({ maker, token, rank })),
  );
  const turns = new Map<Address, number>();
  return ranked
    .sort((one, other) => one.rank - other.rank)
    .map(({ maker, token }) => {
      const turn = turns.get(maker) ?? 0;
      turns.set(maker, turn + 1);
      return { maker, token, turn };
    })
    .sort((one, other) => one.turn - other.turn)
    .slice(0, MAX_WALLETS)
    .map(({ maker, token }) => ({ maker, token }));
}

function payable({ wallets, allowances }: Holder["held"], token: 0 | 1): bigint {
  return smaller(wallets[token], allowances[token]);
}
