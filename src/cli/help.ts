import { type Command, EXIT } from "./command.ts";
import { columns } from "./table.ts";

const CODES: Readonly<Record<keyof typeof EXIT, string>> = {
  ok: "done",
  failed: "failed",
  usage: "wrong command line or configuration",
  refused: "the service refuses the call, and will again",
  tryAgain: "the same command may succeed later",
  checkFailed: "a check found a problem",
};

/** What the program prints without a command. */
export function overview(commands: readonly Command[]): string {
  const codes = Object.entries(EXIT).map(([name, code]) => [`  ${code}`, CODES[name as keyof typeof EXIT]]);
  return [
    "Exact prices and transactions for token swaps on one EVM chain.",
    "",
    "tributary <command> [options]",
    "",
    ...columns(commands.map(({ name, about }) => [`  ${name}`, about])),
    "",
    "tributary <command> --help says more. Exit codes:",
    ...columns(codes),
  ].join("\n");
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
    `tributary ${[command.name, command.takes, options.length > 0 ? "[options]" : ""].filter((it) => it !== "").join(" ")}`,
    "",
    ...columns(options),
    "",
    "Example:",
    `  tributary ${command.example}`,
  ].join("\n");
}
