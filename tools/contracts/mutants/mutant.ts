/** A fault that somebody might make in a contract: what stands there once, and what would stand there instead. */
export interface Mutant {
  readonly name: string;
  readonly changes: readonly (readonly [from: string, to: string])[];
}

export const mutant = (name: string, from: string, to = ""): Mutant => ({ name, changes: [[from, to]] });
