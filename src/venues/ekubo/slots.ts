import { concat, type Hex, numberToHex, toFunctionSelector } from "viem";
import type { Address } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import type { ChainReader } from "../../market/chain-reader.ts";
import type { ContractStorage } from "../reading/storage.ts";
import type { WordRange } from "../reading/word-scan.ts";
import { uintAt } from "../reading/words.ts";

/** Storage layout of pools in Core, from a pool's id on (EkuboProtocol/evm-contracts v3.2.0, CoreStorageLayout.sol). */
const TICKS = 0x435a5eb89a296820174331cf5a3902d9fca683928d56726d8e7acd6efb28c568n;
const BITMAPS = 0x3def450d0010a2fef515ce5eba4b363b5a0f42fdd4c53e1c737975db05a2e3a5n;
/** Takes slots behind its selector, and answers with their words. */
const SLOAD = toFunctionSelector("sload()");

/** Slot of what a swap changes of a pool: price, tick and liquidity. */
export function headSlot(id: string): Hex {
  return id as Hex;
}

export function tickSlot(id: string, tick: number): Hex {
  return slotFrom(BigInt(id) + TICKS + BigInt(tick));
}

export function bitmapSlot(id: string, word: number): Hex {
  return slotFrom(BigInt(id) + BITMAPS + BigInt(word));
}

/** The part of a scan that asks for words of a pool's bitmap, whose slots follow each other. */
export function scanOf(core: Address, id: string): Pick<WordRange, "to" | "selector" | "offset"> {
  return { to: core, selector: SLOAD, offset: BigInt.asUintN(256, BigInt(id) + BITMAPS) };
}

export function storageOf(core: Address, chain: ChainReader, at: BlockRef): ContractStorage {
  return {
    ...{ chain, at },
    callOf: (slots) => ({ to: core, data: concat([SLOAD, ...slots]) }),
    wordsOf(answer, count) {
      if (answer === undefined || answer.length !== 2 + 64 * count) return undefined;
      return Array.from({ length: count }, (_, index) => uintAt(answer, index) as bigint);
    },
  };
}

function slotFrom(sum: bigint): Hex {
  return numberToHex(BigInt.asUintN(256, sum), { size: 32 });
}
