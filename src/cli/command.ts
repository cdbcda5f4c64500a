/** Exit codes. Programs may rely on these numbers. */
export const EXIT = {
  ok: 0,
  /** Something that should not happen, or that no other number says. */
  failed: 1,
  /** The command line or the configuration is wrong. */
  usage: 2,
  /** The service refused the call, and will again. */
  refused: 3,
  /** A later try may succeed: service not reached, no fresh state, too many requests, deadline. */
  tryAgain: 4,
  /** A check has found something that is not as it should be. */
  checkFailed: 5,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** One option of a command: `value` names what it takes, none for a switch. */
export interface CommandOption {
  readonly value?: string;
  readonly about: string;
}

/** Arguments, options and output of a command's run. */
export interface Invocation {
  readonly positionals: readonly string[];
  /** The option's text, or undefined. */
  text(name: string): string | undefined;
  /** Whether the switch is given. */
  has(name: string): boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** For whoever asked: tables, or JSON. */
  print(text: string): void;
  /** For whoever waits: progress and warnings, on standard error. */
  note(text: string): void;
  /** Aborted when nobody reads any more what is printed. */
  readonly unread?: AbortSignal;
}

/** A command of the program: a file in commands/. */
export interface Command {
  /** As it is typed; may be two words. */
  readonly name: string;
  readonly about: string;
  /** Arguments after the name, without options. */
  readonly takes: string;
  readonly options: Readonly<Record<string, CommandOption>>;
  /** A line that works as it stands on the devnet, without the program's name. */
  readonly example: string;
  /** @throws UsageError, ConfigError, SwapCallError; anything else is a failure. */
  run(given: Invocation): Promise<ExitCode>;
}

/** The command line makes no sense; the message says what would. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
