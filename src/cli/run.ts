import { parseArgs } from "node:util";
import { nearestNames } from "../api/rest/nearest-names.ts";
import type { SwapCallError } from "../client/index.ts";
import { messageOf } from "../domain/message-of.ts";
import { VERSION } from "../ops/version.ts";
import { type Command, EXIT, type ExitCode, type Invocation, UsageError } from "./command.ts";
import { commands } from "./commands/index.ts";
import { helpOf, overview } from "./help.ts";
import { shown } from "./view/shown.ts";

/** Environment and output of a program's run. */
export interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly print: (text: string) => void;
  readonly note: (text: string) => void;
  /** Aborted when nobody reads any more what is printed; absent where that cannot be. */
  readonly unread?: AbortSignal;
}

/** Runs one command line, without the program's name. Never throws. */
export async function run(words: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  const print = (text: string) => surroundings.print(shown(text));
  const note = (text: string) => surroundings.note(shown(text));
  try {
    if (isVersion(words[0])) {
      print(`tributary ${VERSION}`);
      return EXIT.ok;
    }
    const found = findCommand(words);
    if (found === undefined) {
      print(overview(commandsOf(words)));
      return words.some(isHelp) ? EXIT.ok : EXIT.usage;
    }
    const { command, rest } = found;
    if (rest.some(isHelp)) {
      print(helpOf(command));
      return EXIT.ok;
    }
    return await command.run({ ...parse(command, rest), ...surroundings, print, note });
  } catch (error) {
    const { lines, code } = await failureOf(error);
    for (const line of lines) note(line);
    return code;
  }
}

function isHelp(word: string | undefined): boolean {
  return word === "--help" || word === "-h" || word === "help";
}

function isVersion(word: string | undefined): boolean {
  return word === "--version" || word === "-v" || word === "version";
}

/** The command that the words begin with, and what is left of them; `help price` is `price help`. */
function findCommand(words: readonly string[]): { command: Command; rest: readonly string[] } | undefined {
  const [first, ...others] = words;
  const named = isHelp(first) ? [...others, ...words.slice(0, 1)] : words;
  for (const count of [2, 1]) {
    const name = named.slice(0, count).join(" ");
    const command = commands.find((it) => it.name === name);
    if (command !== undefined) return { command, rest: named.slice(count) };
  }
  return undefined;
}

/** The commands that words without one may mean: all, or those that begin with the same word. @throws UsageError */
function commandsOf(words: readonly string[]): readonly Command[] {
  const typed = words.filter((word) => !isHelp(word));
  if (typed.length === 0) return commands;
  const group = commands.filter(({ name }) => name.startsWith(`${typed.join(" ")} `));
  if (group.length === 0) throw unknownCommand(typed);
  return group;
}

function parse(command: Command, args: readonly string[]): Pick<Invocation, "positionals" | "text" | "has"> {
  const options = Object.fromEntries(
    Object.entries(command.options).map(([name, { value }]) => [
      name,
      { type: value === undefined ? ("boolean" as const) : ("string" as const) },
    ]),
  );
  try {
    const { values, positionals, tokens } = parseArgs({
      args: [...args],
      options,
      allowPositionals: true,
      tokens: true,
    });
    const given = tokens.flatMap((token) => (token.kind === "option" ? [token.name] : []));
    const twice = given.find((name, at) => given.indexOf(name) !== at);
    if (twice !== undefined) throw new Error(`Option '--${twice}' is given twice`);
    return {
      positionals,
      text: (name) => (typeof values[name] === "string" ? values[name] : undefined),
      has: (name) => values[name] === true,
    };
  } catch (error) {
    const what = error instanceof Error ? (unknownOption(command, error) ?? error.message) : String(error);
    throw new UsageError(`${what}\nsee: tributary ${command.name} --help`);
  }
}

function unknownCommand(words: readonly string[]): UsageError {
  const names = [...commands.map(({ name }) => name), "--help", "--version"];
  const near = [words.slice(0, 2).join(" "), words[0] ?? ""].flatMap((typed) => nearestNames(typed, names, 1));
  return new UsageError(`there is no command "${words[0]}"${didYouMean(near[0])}\nsee: tributary --help`);
}

/** Node's own words for it are about dashes before positionals, of which no command has any. */
function unknownOption(command: Command, { message }: Error): string | undefined {
  const [, dashes, name] = /^Unknown option '(--?)([^']+)'/.exec(message) ?? [];
  if (dashes === undefined || name === undefined) return undefined;
  const [near] = nearestNames(name, Object.keys(command.options), 1);
  return `there is no option ${dashes}${name}${didYouMean(near && `--${near}`)}`;
}

function didYouMean(near: string | undefined): string {
  return near === undefined ? "" : `; did you mean ${near}?`;
}

/** Message and exit code of an error. Loads the client and the configuration only for that. */
async function failureOf(error: unknown): Promise<{ readonly lines: readonly string[]; readonly code: ExitCode }> {
  if (error instanceof UsageError) return { lines: [error.message], code: EXIT.usage };
  const [{ SwapCallError }, { ConfigError }] = await Promise.all([
    import("../client/index.ts"),
    import("../ops/config.ts"),
  ]);
  if (error instanceof SwapCallError) {
    return { lines: refusalLines(error), code: error.isRetryable ? EXIT.tryAgain : EXIT.refused };
  }
  return { lines: [messageOf(error)], code: error instanceof ConfigError ? EXIT.usage : EXIT.failed };
}

function refusalLines(error: SwapCallError): readonly string[] {
  const problems = error.problems.filter(({ description }) => description !== error.message);
  return [
    `${error.reason}: ${error.message}`,
    ...problems.map(({ field, description }) => `  ${field}: ${description}`),
    ...(error.kind === "NOT_REACHED" ? ["check that the service runs there, or set --url or TRIBUTARY_URL"] : []),
    ...(error.retryAfterSeconds !== undefined && error.isRetryable
      ? [`try again after ${error.retryAfterSeconds} s`]
      : []),
    ...((error.requestId ?? "") === "" ? [] : [`request id: ${error.requestId}`]),
  ];
}
