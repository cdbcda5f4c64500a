import { z } from "zod";
import { type Address, ZERO_ADDRESS } from "../../domain/address.ts";
import { address, RECORD_FIELDS } from "../../market/venue-record.ts";
import {
  AFTER_SWAP_RETURNS_DELTA,
  BEFORE_SWAP,
  BEFORE_SWAP_RETURNS_DELTA,
  hasNoSwapHooks,
  permits,
} from "../uniswap-v4/pool-key.ts";

/** Parts that a fee is counted in. */
export const PPM = 1_000_000;

const hash = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/, { error: "must be a hash: 0x and 64 hex digits" })
  .transform((text) => text.toLowerCase() as `0x${string}`);

const signature = z.string().regex(/^\w+\((bytes32)?\)$/, {
  error: "must be a function without arguments, or of the pool's id: name() or name(bytes32)",
});

/** Fees that never change: parts per million. */
const fixedParts = z.strictObject({
  ppm: z.array(z.int().nonnegative().max(999_999)).min(1),
  /** Fees where currency 1 goes in; those of `ppm` where absent. */
  ppmOfCurrency1: z.array(z.int().nonnegative().max(999_999)).optional(),
});

/** Fees that the hooks answer with: words of what a view answers. */
const readParts = z.strictObject({
  call: signature,
  /** Words of the answer, from 0, each a part of the fee. */
  words: z.array(z.int().nonnegative().max(63)).min(1),
  /** Words where currency 1 goes in; those of `words` where absent. */
  wordsOfCurrency1: z.array(z.int().nonnegative().max(63)).optional(),
  /** The whole that a word is a part of: 10,000 for basis points. */
  whole: z.literal([100, 10_000, 1_000_000]),
  /** No account can change them once a pool is there: they are read once. */
  frozen: z.literal(true).optional(),
});

const parts = z.union([fixedParts, readParts], {
  error:
    'must be {"ppm": [3000]}, or {"call": "fees(bytes32)", "words": [0], "whole": 10000}; whole is 100, 10000 or 1000000, ' +
    "frozen is true or left out",
});

const common = {
  address,
  /** keccak256 of the runtime code. Nothing else is called in a swap. */
  codeHash: hash,
  /** Gas of the callbacks in one swap, once the slots that they write have been written before. */
  gas: z.int().nonnegative().max(5_000_000),
};

const observer = z.strictObject({ model: z.literal("observer"), ...common });
const swapFee = z.strictObject({
  model: z.literal("swap-fee"),
  ...common,
  /** The amount that is charged: the one that the swapper does not name, or that of one currency. */
  of: z.enum(["unspecified", "currency0", "currency1"]),
  fee: parts,
});
const liquidityFee = z.strictObject({ model: z.literal("liquidity-fee"), ...common, fee: parts });

/** A contract that the hooks of a pool pass each swap on to. */
const passedHook = z.strictObject({
  address,
  codeHash: hash,
  /** Whole that the figures of its `getFeeSchedule(bytes32)` are parts of. */
  whole: z.literal([800_000, 1_000_000]),
  /** Gas of one swap beyond that of the hooks, without a trade of its own. */
  gas: z.int().nonnegative().max(5_000_000),
  mostGas: z.int().nonnegative().max(20_000_000),
  /** Gas of a trade of its own, with what it has taken. */
  tradeGas: z.int().nonnegative().max(5_000_000),
  mostTradeGas: z.int().nonnegative().max(20_000_000),
});
const doppler = z
  .strictObject({
    model: z.literal("doppler"),
    ...common,
    /** Most gas of the hooks in one swap. */
    mostGas: z.int().nonnegative().max(20_000_000),
    /** The Airlock, which knows who may give a pool another contract to pass its swaps to. */
    airlock: address,
    /** Contracts that a pool's swaps may be passed on to, one for each pool. Pools that pass them to another one are left out. */
    passesTo: z.array(passedHook),
  })
  .refine((hook) => isEachOnce([ZERO_ADDRESS, hook.address, ...hook.passesTo.map((passed) => passed.address)]), {
    path: ["passesTo"],
    error: "must name each contract once, and neither the hooks themselves nor the zero address: take the entry out",
  })
  .refine((hook) => [hook, ...hook.passesTo].every(({ gas, mostGas }) => gas <= mostGas), {
    path: ["mostGas"],
    error: "must be no less than gas",
  })
  .refine((hook) => hook.passesTo.every(({ tradeGas, mostTradeGas }) => tradeGas <= mostTradeGas), {
    path: ["mostTradeGas"],
    error: "must be no less than tradeGas",
  });

const hooks = z
  .discriminatedUnion("model", [observer, swapFee, liquidityFee, doppler])
  .refine((hook) => permits(hook.address, ...permissionsOf(hook)), {
    error: "has an address whose permissions do not go with the model: correct the address, or the model",
  })
  .refine((hook) => hook.model !== "observer" || !RETURNS.some((bit) => permits(hook.address, bit)), {
    error: "may change what swaps move, by the permissions of its address: it is no observer",
  })
  .refine(({ address }) => !hasNoSwapHooks(address), {
    error: "is called in no swap, by its address: its pools are those of uniswap-v4, take the entry out",
  })
  .refine((hook) => hook.model !== "liquidity-fee" || waysOf(hook.fee).every(({ length }) => length === 1), {
    path: ["fee"],
    error: "must have one part for each direction: a liquidity fee is one figure, or one word",
  })
  .refine((hook) => !("fee" in hook) || !("ppm" in hook.fee) || waysOf(hook.fee).every(isBelowWhole), {
    path: ["fee"],
    error: `leaves nothing of a swap: the parts of a direction together must be below ${PPM}`,
  });

const RETURNS = [BEFORE_SWAP_RETURNS_DELTA, AFTER_SWAP_RETURNS_DELTA];

/** Permissions without which hooks cannot do what their model says. */
function permissionsOf(hook: { readonly model: string; readonly of?: string }): readonly bigint[] {
  if (hook.model === "liquidity-fee") return [BEFORE_SWAP];
  if (hook.model === "doppler") return [AFTER_SWAP_RETURNS_DELTA];
  if (hook.model !== "swap-fee") return [];
  return hook.of === "unspecified" ? [AFTER_SWAP_RETURNS_DELTA] : RETURNS;
}

/** Figures or words of a fee, for either direction. */
function waysOf(fee: Parts): readonly (readonly number[])[] {
  return "ppm" in fee ? [fee.ppm, fee.ppmOfCurrency1 ?? fee.ppm] : [fee.words, fee.wordsOfCurrency1 ?? fee.words];
}

function isEachOnce(addresses: readonly Address[]): boolean {
  return new Set(addresses).size === addresses.length;
}

function isBelowWhole(ppm: readonly number[]): boolean {
  return ppm.reduce((sum, part) => sum + part, 0) < PPM;
}

/** Pools of Uniswap V4 with hooks that are called in swaps and of which it is known what they do. */
export const uniswapV4HooksRecord = z.strictObject({
  protocol: z.literal("uniswap-v4-hooks"),
  ...RECORD_FIELDS,
  /** The PoolManager, which all pools are in. */
  factory: address,
  hooks: z
    .array(hooks)
    .min(1)
    .refine((all) => isEachOnce(all.map(({ address }) => address)), {
      error: "must name each address once: take out the entry that is not so",
    }),
});

export type UniswapV4HooksRecord = z.infer<typeof uniswapV4HooksRecord>;
export type KnownHook = UniswapV4HooksRecord["hooks"][number];
export type DopplerHook = Extract<KnownHook, { model: "doppler" }>;
export type PassedHook = DopplerHook["passesTo"][number];
export type Parts = z.infer<typeof parts>;
