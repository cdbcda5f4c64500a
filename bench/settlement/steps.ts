/** Gas of a transaction by who used it, from its trace. */
import { type Hex, hexToBytes, hexToNumber } from "viem";
import type { TestNode } from "../../fixtures/settlement/node.ts";
import { type Address, toAddress } from "../../src/domain/address.ts";

interface Frame {
  readonly to: string;
  readonly input: Hex;
  readonly gasUsed: Hex;
  readonly calls?: readonly Frame[];
}

/** Gas by step, in the order in which the steps begin; all together are what the transaction paid. */
export type Steps = ReadonlyMap<string, number>;

const INTRINSIC = "transaction and calldata";
const REFUND = "refund of the payer's balance in the wrapper";
/** Refund of a slot that is filled and emptied again (EIP-2200, EIP-3529): a trace does not tell of it. */
const REFUNDED = 19_900;

/**
 * The steps of the newest transaction, which wraps native token and spends all of it. Contracts without a name count for
 * whoever called them.
 */
export async function newestSteps(
  { rpc }: TestNode,
  gasUsed: bigint,
  names: ReadonlyMap<Address, string>,
): Promise<Steps> {
  const { transactions } = await rpc<{ transactions: readonly Hex[] }>("eth_getBlockByNumber", "latest", false);
  const top = await rpc<Frame>("debug_traceTransaction", transactions[0], { tracer: "callTracer" });
  const intrinsic = hexToBytes(top.input).reduce((sum, byte) => sum + (byte === 0 ? 4 : 16), 21_000);

  const steps = new Map([[INTRINSIC, intrinsic]]);
  const look = ({ to, calls = [] }: Frame, used: number, caller: string): void => {
    const name = names.get(toAddress(to)) ?? caller;
    const inner = calls.map((call) => hexToNumber(call.gasUsed));
    steps.set(name, (steps.get(name) ?? 0) + inner.reduce((rest, each) => rest - each, used));
    for (const [at, call] of calls.entries()) look(call, inner[at]!, name);
  };
  look(top, Number(gasUsed) + REFUNDED - intrinsic, "");
  return steps.set(REFUND, -REFUNDED);
}

/** A table of two transactions' steps. */
export function besides(columns: readonly string[], all: readonly Steps[]): string {
  const names = [...new Set(all.flatMap((steps) => [...steps.keys()]))];
  const rows = names.map((name) => [name, ...all.map((steps) => steps.get(name)?.toLocaleString("en-US") ?? "")]);
  const totals = all.map((steps) => [...steps.values()].reduce((sum, gas) => sum + gas, 0).toLocaleString("en-US"));
  return [["step", ...columns], columns.map(() => "---").concat("---"), ...rows, ["all", ...totals]]
    .map((cells) => `| ${cells.join(" | ")} |\n`)
    .join("");
}
