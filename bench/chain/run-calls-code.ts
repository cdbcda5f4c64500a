import type { Hex } from "../../src/domain/address.ts";

/** Gas that code always finds left: the contracts of a synthetic chain burn none. */
const GAS = 40_000_000n;
const WORD = 2n ** 256n;

/**
 * Runs creation code that does nothing but calls, as src/chain/rpc/calls-by-code.ts makes it for those that may fail: what it
 * returns. `call` tells whether one succeeds. Undefined for code with any other operation.
 */
export function runCallsCode(code: string, call: (to: string, data: string) => boolean): Hex | undefined {
  const bytes = Buffer.from(code, "hex");
  const memory = Buffer.alloc(8_192);
  const stack: bigint[] = [];
  const pop = () => {
    const value = stack.pop();
    if (value === undefined) throw new Error("an empty stack");
    return value;
  };
  for (let at = 0; at < bytes.length; at++) {
    const operation = bytes[at]!;
    if (operation >= 0x60 && operation <= 0x7f) {
      const length = operation - 0x5f;
      stack.push(BigInt(`0x${bytes.toString("hex", at + 1, at + 1 + length)}`));
      at += length;
      continue;
    }
    if (operation >= 0x80 && operation <= 0x8f) {
      stack.push(stack.at(0x7f - operation)!);
      continue;
    }
    switch (operation) {
      case 0x02: // MUL
        stack.push((pop() * pop()) % WORD);
        break;
      case 0x03: // SUB
        stack.push(BigInt.asUintN(256, pop() - pop()));
        break;
      case 0x10: {
        const [left, right] = [pop(), pop()]; // LT
        stack.push(left < right ? 1n : 0n);
        break;
      }
      case 0x15: // ISZERO
        stack.push(pop() === 0n ? 1n : 0n);
        break;
      case 0x17: // OR
        stack.push(pop() | pop());
        break;
      case 0x1b: {
        const shift = pop(); // SHL
        stack.push((pop() << shift) % WORD);
        break;
      }
      case 0x52: {
        const place = Number(pop()); // MSTORE
        memory.write(pop().toString(16).padStart(64, "0"), place, "hex");
        break;
      }
      case 0x53: {
        const place = Number(pop()); // MSTORE8
        memory[place] = Number(pop() & 0xffn);
        break;
      }
      case 0x5a: // GAS
        stack.push(GAS);
        break;
      case 0x90: {
        const [top, next] = [pop(), pop()]; // SWAP1
        stack.push(top, next);
        break;
      }
      case 0xf1: {
        const [, to, , place, length] = [pop(), pop(), pop(), Number(pop()), Number(pop()), pop(), pop()]; // CALL
        const data = memory.toString("hex", place, place + length);
        stack.push(call(`0x${to.toString(16).padStart(40, "0")}`, data) ? 1n : 0n);
        break;
      }
      case 0xf3: {
        const [place, length] = [Number(pop()), Number(pop())]; // RETURN
        return `0x${memory.toString("hex", place, place + length)}`;
      }
      default:
        return undefined;
    }
  }
  return undefined;
}
