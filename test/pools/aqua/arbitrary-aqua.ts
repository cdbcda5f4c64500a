import fc from "fast-check";
import { concat } from "viem";
import { toAddress } from "../../../src/domain/address.ts";
import { squareRoot } from "../../../src/math/square-root.ts";
import type { AquaState } from "../../../src/pools/aqua/state.ts";
import { instruction, USES_AQUA } from "../../venues/worlds/singletons/aqua.ts";

const ONE = 10n ** 18n;
const PEGGED_ONE = 10n ** 27n;
export const MAKER = toAddress(`0x${"a1".repeat(20)}`);
const RECEIVER = toAddress(`0x${"fe".repeat(20)}`);
const NEVER = (1n << 256n) - 1n;

const rate = fc.constantFrom(0n, 100_000n, 500_000n, 3_000_000n, 10_000_000n);
const anyFee = fc
  .record({ rate, isProtocols: fc.boolean() })
  .map(({ rate, isProtocols }) => (isProtocols ? instruction.protocolFee(rate, RECEIVER) : instruction.flatFee(rate)));

/** Strategies of a thousand to a hundred million worth of either token, of which the maker has all or half. */
export const aquaPools: fc.Arbitrary<AquaState> = fc
  .record({
    kind: fc.constantFrom("product" as const, "range" as const, "pegged" as const),
    decimals: fc.tuple(fc.constantFrom(8, 18), fc.constantFrom(6, 18)),
    worth: fc.integer({ min: 1_000, max: 100_000_000 }).map(BigInt),
    tenths: fc.integer({ min: -30, max: 40 }),
    uneven: fc.integer({ min: 20, max: 180 }).map(BigInt),
    fees: fc.array(anyFee, { maxLength: 3 }),
    spread: fc.constantFrom(1_000n, 10_000n, 100_000n, 1_000_000n),
    width: fc.constantFrom(0n, PEGGED_ONE, 100n * PEGGED_ONE),
    part: fc.constantFrom(1n, 2n),
    isAllowed: fc.boolean(),
  })
  .map(({ kind, decimals, worth, tenths, uneven, fees, spread, width, part, isAllowed }) => {
    const [unit0, unit1] = decimals.map((digits) => 10n ** BigInt(digits)) as [bigint, bigint];
    const price = kind === "pegged" ? ONE : BigInt(Math.floor(10 ** (18 + tenths / 10)));
    const [first, second] = [(worth * unit0 * ONE) / price + 1_000n, worth * unit1];
    const balances = [first, (second * uneven) / 100n] as const;
    const root = squareRoot((price * second * ONE) / (worth * unit0));
    const range = instruction.range((root * 100_000n) / (100_000n + spread), (root * (100_000n + spread)) / 100_000n);
    const rates = decimals.map((digits) => 10n ** BigInt(18 - digits)) as [bigint, bigint];
    const pegged = instruction.pegged(first * rates[0], second * rates[1], width, ...rates);
    const has = [balances[0] / part, balances[1] / part] as const;
    const program = [...fees, ...(kind === "range" ? [range] : []), kind === "pegged" ? pegged : instruction.product()];
    return {
      ...{ maker: MAKER, traits: USES_AQUA, program: concat(program), balances },
      ...(isAllowed ? { wallets: has, allowances: [NEVER, NEVER] } : { wallets: balances, allowances: has }),
    };
  });
