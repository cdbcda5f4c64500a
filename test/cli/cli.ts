import { run } from "../../src/cli/run.ts";

/** Exit code and output of a command line. */
export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command line as the program does. */
export async function cli(
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  const [out, err]: [string[], string[]] = [[], []];
  const code = await run(words, {
    environment,
    print: (text) => void out.push(text),
    note: (text) => void err.push(text),
  });
  return { code, stdout: out.join("\n"), stderr: err.join("\n") };
}
