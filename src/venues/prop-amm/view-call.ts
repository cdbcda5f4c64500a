import { toFunctionSelector } from "viem";
import type { Hex } from "../../domain/address.ts";
import { wordOf } from "../reading/words.ts";

/** Arguments of a view function. */
export interface Asked {
  readonly sold: string;
  readonly bought: string;
  readonly amount: bigint;
}

const SIGNATURE = /^([A-Za-z_]\w*)\(([^()]*)\)$/;
const PARAMETER = /^(address|uint(?:8|16|32|64|96|112|128|160|256)) (sold|bought|amount)$/;

/** One parameter of a function: its type, and which of the asked it takes. */
interface Parameter {
  readonly type: string;
  readonly takes: keyof Asked;
}

/** Parameters of a signature like "quote(address sold, address bought, uint256 amount)"; undefined where it is none. */
export function parametersOf(signature: string): readonly Parameter[] | undefined {
  const list = SIGNATURE.exec(signature)?.[2];
  if (list === undefined) return undefined;
  const parameters = list === "" ? [] : list.split(", ").map(parameterOf);
  return parameters.some((each) => each === undefined) ? undefined : (parameters as readonly Parameter[]);
}

function parameterOf(text: string): Parameter | undefined {
  const [, type, takes] = PARAMETER.exec(text) ?? [];
  if (type === undefined || takes === undefined || (type === "address") === (takes === "amount")) return undefined;
  return { type, takes: takes as keyof Asked };
}

/** Makes calldata of a view function by its signature. @throws RangeError for a signature that `parametersOf` refuses */
export function viewCall(signature: string): (asked: Asked) => Hex {
  const parameters = parametersOf(signature);
  if (parameters === undefined) throw new RangeError(`no signature of a view function: ${signature}`);
  const name = signature.slice(0, signature.indexOf("("));
  const selector = toFunctionSelector(`${name}(${parameters.map(({ type }) => type).join()})`);
  return (asked) => `${selector}${parameters.map(({ takes }) => wordOf(BigInt(asked[takes]))).join("")}`;
}
