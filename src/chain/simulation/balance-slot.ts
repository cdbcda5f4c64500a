import { concat, keccak256, pad, toHex } from "viem";
import type { Address, Hex } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import type { BlockMemory } from "../rpc/block-memory.ts";
import { blockParameter, parseAddress, parseArray, parseBytes, parseObject } from "../rpc/codec.ts";
import { balanceOf, storageWord } from "../rpc/erc20.ts";
import type { Provider, RequestOptions } from "../rpc/provider.ts";
import { RpcError } from "../rpc/provider-errors.ts";

/** Storage slot in which a token keeps an account's balance. */
export interface StorageSlot {
  readonly address: Address;
  readonly slot: Hex;
}

/** State overrides as eth_call and eth_simulateV1 take them. */
export type StateOverrides = Readonly<
  Record<Address, { readonly balance?: Hex; readonly code?: Hex; readonly stateDiff?: Readonly<Record<Hex, Hex>> }>
>;

const MAX_REMEMBERED = 5_000;
const MAX_CANDIDATES = 40;
/** Positions of the balances mapping in ordinary tokens. */
const USUAL_POSITIONS = 12;
/** Base slot of OpenZeppelin's upgradeable ERC-20 (ERC-7201, "openzeppelin.storage.ERC20"). */
const OPENZEPPELIN_BASE = "0x52c63247e1f47db19d5ce0460030c497f067ca4cebf71ba98eeadabe20bace00";
/** Solady's ERC20: keccak256(owner . 0x87a211a2 in the last of 32 bytes, 12 and 20 bytes). */
const SOLADY_SEED = "0x87a211a2";

/** Somebody's account of a token. */
export interface TokenAccount {
  readonly token: Address;
  readonly owner: Address;
}

/** Finds the storage slot that makes a token's `balanceOf` answer a given amount. */
export interface BalanceSlots {
  /** The overrides with which `balanceOf(owner)` answers exactly `amount`; undefined when no single slot does that. */
  fund(
    account: TokenAccount,
    amount: bigint,
    at: BlockRef,
    limits?: RequestOptions,
  ): Promise<StateOverrides | undefined>;
}

/** When the node is asked, and how long it may take. */
interface Asking {
  readonly at: BlockRef;
  readonly limits: RequestOptions | undefined;
}

/** Slots that `balanceOf` reads by the node's word, then the usual ones; each is tried before it is believed. */
export function createBalanceSlots(provider: Provider, memory: BlockMemory): BalanceSlots {
  const remembered = memory.memo<string, StorageSlot>({ most: MAX_REMEMBERED });

  /** Whether an account has `amount` with these overrides. */
  async function works(
    { token, owner }: TokenAccount,
    amount: bigint,
    overrides: StateOverrides,
    { at, limits }: Asking,
  ): Promise<boolean> {
    try {
      const call = { to: token, data: balanceOf(owner) };
      const answer = await provider.request("eth_call", [call, blockParameter(at), overrides], limits);
      return parseBytes(answer, "eth_call") === storageWord(amount);
    } catch (error) {
      if (error instanceof RpcError) return false;
      throw error;
    }
  }

  async function readSlots({ token, owner }: TokenAccount, { at, limits }: Asking): Promise<readonly StorageSlot[]> {
    try {
      const call = { from: owner, to: token, data: balanceOf(owner) };
      const answer = await provider.request("eth_createAccessList", [call, blockParameter(at)], limits);
      return parseArray(parseObject(answer, "access list").accessList, "access list").flatMap((item) => {
        const entry = parseObject(item, "access list");
        const address = parseAddress(entry.address, "access list");
        const keys = parseArray(entry.storageKeys, "access list");
        return keys.map((key) => ({ address, slot: parseBytes(key, "access list", 32) }));
      });
    } catch (error) {
      if (error instanceof RpcError) return [];
      throw error;
    }
  }

  return {
    async fund(account, amount, at, limits) {
      const asking = { at, limits };
      const key = `${account.token}${account.owner}`;
      const known = remembered.get(key, at);
      if (known !== undefined) {
        const overrides = overrideOf(known, amount);
        if (await works(account, amount, overrides, asking)) return overrides;
      }
      const read = await readSlots(account, asking);
      for (const slot of [...read.slice(0, MAX_CANDIDATES), ...usualSlots(account)]) {
        const overrides = overrideOf(slot, amount);
        if (!(await works(account, amount, overrides, asking))) continue;
        remembered.set(key, slot, at);
        return overrides;
      }
      return undefined;
    },
  };
}

function overrideOf({ address, slot }: StorageSlot, amount: bigint): StateOverrides {
  return { [address]: { stateDiff: { [slot]: storageWord(amount) } } };
}

function usualSlots({ token, owner }: TokenAccount): readonly StorageSlot[] {
  const key = pad(owner);
  const positions = Array.from({ length: USUAL_POSITIONS }, (_, position) => toHex(position, { size: 32 }));
  return [
    ...[...positions, OPENZEPPELIN_BASE as Hex].map((base) => keccak256(concat([key, base]))),
    ...positions.map((base) => keccak256(concat([base, key]))),
    keccak256(concat([owner, pad(SOLADY_SEED, { size: 12 })])),
  ].map((slot) => ({ address: token, slot }));
}
