import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { type Config, readConfig } from "../ops/config.ts";
import { type CommandOption, type Invocation, UsageError } from "./command.ts";

/** Options of every command that reads the service's configuration. */
export const CONFIGURATION_OPTIONS = {
  config: { value: "file", about: "file of NAME=value lines; the environment wins over it" },
} as const satisfies Readonly<Record<string, CommandOption>>;

/** The environment with the file's variables under it; an empty variable counts as not set. @throws UsageError when the file cannot be read */
export function environmentOf({ text, environment }: Invocation): Readonly<Record<string, string | undefined>> {
  const file = text("config");
  if (file === undefined) return environment;
  try {
    const set = Object.entries(environment).filter(([, value]) => value !== "");
    return { ...parseEnv(readFileSync(file, "utf8")), ...Object.fromEntries(set) };
  } catch (error) {
    throw new UsageError(`--config: ${error instanceof Error ? error.message : error}`);
  }
}

/** @throws UsageError, ConfigError */
export function configurationOf(given: Invocation): Config {
  return readConfig(environmentOf(given));
}
