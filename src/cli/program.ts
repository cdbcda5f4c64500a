import { run } from "./run.ts";

/** Runs a command line as this process, and ends it with its exit code. */
export async function runProgram(words: readonly string[]): Promise<never> {
  const unread = new AbortController();
  // A reader may leave, as `| head -1` does: that ends no service, and prints no stack trace.
  process.stdout.on("error", () => unread.abort());
  const code = await run(words, {
    environment: process.env,
    print: (text) => console.log(text),
    note: (text) => console.error(text),
    unread: unread.signal,
  });
  process.exit(code);
}
