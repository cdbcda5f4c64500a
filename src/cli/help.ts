import { type Command, EXIT } from "./command.ts";
import { columns } from "./view/table.ts";

/** Meaning of each exit code. */
export const EXIT_MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  ok: "done",
  failed: "failed",
  usage: "wrong command line or configuration",
  refused: "the service refuses the call, and will again",
  tryAgain: "the same command may succeed later",
  checkFailed: "a check found a problem",
};

/** Help text without a command: lists the commands. */
export function overview(commands: readonly Command[]): string {
  const codes = Object.entries(EXIT).map(([name, code]) => [`  ${code}`, EXIT_MEANINGS[name as keyof typeof EXIT]]);
  return [
    "Exact prices and transactions for token swaps on one EVM chain.",
    "",
    "tributary <command> [options]",
    "",
    ...columns(commands.map(({ name, about }) => [`  ${name}`, about])),
    "",
    "tributary <command> --help shows its options, tributary --version the version. Exit codes:",
    ...columns(codes),
  ].join("\n");
}

/** Usage line of a command. */
export function usageOf({ name, takes, options }: Command): string {
  const more = Object.keys(options).length > 0 ? "[options]" : "";
  return `tributary ${[name, takes, more].filter((it) => it !== "").join(" ")}`;
}

/** A command's page. */
export function helpOf(command: Command): string {
  const options = Object.entries(command.options).map(([name, { value, about }]) => [
    `  --${name}${value === undefined ? "" : ` <${value}>`}`,
    about,
  ]);
  return [
    command.about,
    "",
    usageOf(command),
    "",
    ...columns(options),
    "",
    "Example:",
    `  tributary ${command.example}`,
  ].join("\n");
}
