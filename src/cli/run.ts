import { parseArgs } from "node:util";
import { nearestNames } from "../api/rest/nearest-names.ts";
import { SwapCallError } from "../client/index.ts";
import { ConfigError } from "../ops/config.ts";
import { type Command, EXIT, type ExitCode, type Invocation, UsageError } from "./command.ts";
import { commands } from "./commands/index.ts";
import { helpOf, overview } from "./help.ts";
import { shown } from "./shown.ts";

/** Where a program's words go, and what it knows of its surroundings. */
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
    const found = findCommand(words);
    if (found === undefined) {
      if (words.length > 0 && !isHelp(words[0])) throw unknownCommand(words);
      print(overview(commands));
      return words.length > 0 ? EXIT.ok : EXIT.usage;
    }
    const { command, rest } = found;
    if (rest.some(isHelp)) {
      print(helpOf(command));
      return EXIT.ok;
    }
    return await command.run({ ...parse(command, rest), ...surroundings, print, note });
  } catch (error) {
    for (const line of linesOf(error)) note(line);
    return exitCodeOf(error);
  }
}

function isHelp(word: string | undefined): boolean {
  return word === "--help" || word === "-h" || word === "help";
}

function findCommand(words: readonly string[]): { command: Command; rest: readonly string[] } | undefined {
  for (const count of [2, 1]) {
    const name = words.slice(0, count).join(" ");
    const command = commands.find((it) => it.name === name);
    if (command !== undefined) return { command, rest: words.slice(count) };
  }
  return undefined;
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
  const names = commands.map(({ name }) => name);
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

function linesOf(error: unknown): readonly string[] {
  if (!(error instanceof SwapCallError)) return [error instanceof Error ? error.message : String(error)];
  const problems = error.problems.filter(({ description }) => description !== error.message);
  return [
    `${error.reason}: ${error.message}`,
    ...problems.map(({ field, description }) => `  ${field}: ${description}`),
    ...(error.retryAfterSeconds !== undefined && error.isRetryable
      ? [`try again after ${error.retryAfterSeconds} s`]
      : []),
    ...((error.requestId ?? "") === "" ? [] : [`request id: ${error.requestId}`]),
  ];
}

function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof UsageError || error instanceof ConfigError) return EXIT.usage;
  if (error instanceof SwapCallError) return error.isRetryable ? EXIT.tryAgain : EXIT.refused;
  return EXIT.failed;
}
