import type { Address, Hex } from "../../domain/address.ts";
import { PEGGED_ONE } from "./pegged.ts";

/** Parts of a whole that fees are counted in. */
export const FEE_ONE = 10n ** 9n;
/** Longest program that is looked at, in bytes: the published kinds have less than 250. */
export const MAX_PROGRAM_LENGTH = 512;
const MAX_INSTRUCTIONS = 24;

/** A fee of what is sold. */
export interface ProgramFee {
  /** Parts of FEE_ONE. */
  readonly rate: bigint;
  /** Receiver of a protocol's fee, which is rounded down and leaves the strategy; absent for a fee that is rounded up and stays. */
  readonly to?: Address;
}

/** Bounds of the price of token 0 in token 1, as square roots in parts of 10^18. */
export interface PriceRange {
  readonly sqrtMin: bigint;
  readonly sqrtMax: bigint;
}

/** Terms of the curve for pegged tokens: reference balances and rates in token order, and the weight of its linear part. */
export interface PeggedTerms {
  readonly references: readonly [bigint, bigint];
  /** Parts of 10^27. */
  readonly width: bigint;
  readonly rates: readonly [bigint, bigint];
}

/** A program of which every instruction is modelled. */
export interface Program {
  /** Fees, the outermost first: it is taken first of an exact input, and added last to the cost of an exact output. */
  readonly fees: readonly ProgramFee[];
  readonly range: PriceRange | undefined;
  /** Terms of the curve for pegged tokens; undefined for a constant product. */
  readonly pegged: PeggedTerms | undefined;
  /** The last second in which it trades; undefined: for ever. */
  readonly deadline: bigint | undefined;
}

/** Instructions as the router's table numbers them from version 1.0 to 1.0.2 (1inch/swap-vm, src/opcodes/AquaOpcodes.sol). */
const OPCODE = {
  deadline: 0x0d,
  product: 0x11,
  range: 0x12,
  salt: 0x14,
  flatFee: 0x15,
  protocolFee: 0x1c,
  pegged: 0x1f,
} as const;
const MAX_WIDTH = 5_000n * PEGGED_ONE;

/** Draft of a program while its instructions are read. */
interface Draft {
  readonly fees: ProgramFee[];
  range?: PriceRange;
  pegged?: PeggedTerms;
  deadline?: bigint;
  hasCurve: boolean;
}

/** Reader of one instruction's arguments into the draft; whether they are of a program that is modelled. */
type Instruction = (args: Arguments, draft: Draft) => boolean;

/** Arguments of an instruction, as numbers of so many bytes. Bytes beyond those that are read have no meaning. */
class Arguments {
  readonly #digits: string;
  #at = 0;

  constructor(digits: string) {
    this.#digits = digits;
  }

  /** The next `bytes` as a number; undefined where there are not so many. */
  next(bytes: number): bigint | undefined {
    const digits = this.#digits.slice(this.#at, this.#at + 2 * bytes);
    this.#at += 2 * bytes;
    return digits.length === 2 * bytes ? BigInt(`0x${digits}`) : undefined;
  }

  words(count: number): readonly bigint[] | undefined {
    const words = Array.from({ length: count }, () => this.next(32));
    return words.every((word) => word !== undefined) ? words : undefined;
  }
}

const INSTRUCTIONS: ReadonlyMap<number, Instruction> = new Map<number, Instruction>([
  [OPCODE.salt, () => true],
  [OPCODE.deadline, readDeadline],
  [OPCODE.flatFee, (args, draft) => readFee(args, draft, false)],
  [OPCODE.protocolFee, (args, draft) => readFee(args, draft, true)],
  [OPCODE.range, readRange],
  [OPCODE.product, (_args, draft) => readCurve(draft)],
  [OPCODE.pegged, readPegged],
]);

/**
 * The program of an order's data; undefined for one with an instruction that is not modelled, with a jump, with two curves or
 * none, or with arguments that the router refuses. An instruction is its number, the length of its arguments, and these.
 */
export function programOf(data: Hex): Program | undefined {
  const digits = data.slice(2);
  if (digits.length > 2 * MAX_PROGRAM_LENGTH || digits.length % 2 !== 0) return undefined;
  const draft: Draft = { fees: [], hasCurve: false };
  let at = 0;
  for (let count = 0; at < digits.length; count++) {
    const head = digits.slice(at, at + 4);
    if (head.length < 4 || count === MAX_INSTRUCTIONS) return undefined;
    const end = at + 4 + 2 * Number.parseInt(head.slice(2), 16);
    const read = INSTRUCTIONS.get(Number.parseInt(head.slice(0, 2), 16));
    if (end > digits.length || read === undefined || !read(new Arguments(digits.slice(at + 4, end)), draft))
      return undefined;
    at = end;
  }
  const { fees, range, pegged, deadline, hasCurve } = draft;
  // The curve for pegged tokens trades on counted balances only where no range has raised them.
  return hasCurve && (range === undefined || pegged === undefined) ? { fees, range, pegged, deadline } : undefined;
}

function readDeadline(args: Arguments, draft: Draft): boolean {
  const deadline = args.next(5);
  if (deadline === undefined) return false;
  if (draft.deadline === undefined || deadline < draft.deadline) draft.deadline = deadline;
  return true;
}

function readFee(args: Arguments, { fees, hasCurve }: Draft, isProtocols: boolean): boolean {
  const rate = args.next(4);
  const to = isProtocols ? args.next(20) : undefined;
  if (hasCurve || rate === undefined || rate >= FEE_ONE) return false;
  if (!isProtocols) fees.push({ rate });
  else {
    if (to === undefined || (to === 0n && rate > 0n)) return false;
    fees.push({ rate, to: `0x${to.toString(16).padStart(40, "0")}` as Address });
  }
  return true;
}

function readRange(args: Arguments, draft: Draft): boolean {
  const [sqrtMin, sqrtMax] = args.words(2) ?? [];
  if (draft.hasCurve || draft.range !== undefined || sqrtMin === undefined || sqrtMax === undefined) return false;
  draft.range = { sqrtMin, sqrtMax };
  return sqrtMin < sqrtMax;
}

function readCurve(draft: Draft): boolean {
  if (draft.hasCurve) return false;
  draft.hasCurve = true;
  return true;
}

function readPegged(args: Arguments, draft: Draft): boolean {
  const [first, second, width, rate0, rate1] = args.words(5) ?? [];
  if (first === undefined || second === undefined || width === undefined) return false;
  if (rate0 === undefined || rate1 === undefined || !readCurve(draft)) return false;
  draft.pegged = { references: [first, second], width, rates: [rate0, rate1] };
  return [first, second, rate0, rate1].every((value) => value > 0n) && width <= MAX_WIDTH;
}
