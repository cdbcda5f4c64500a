import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { nearestNames } from "../../api/rest/nearest-names.ts";
import { messageOf } from "../../domain/message-of.ts";
import { type Config, readConfig } from "../../ops/config.ts";
import { OPTIONS } from "../../ops/options.ts";
import { type Invocation, UsageError } from "../command.ts";

/** The environment with the file's variables under it; an empty variable counts as not set. @throws UsageError when the file cannot be read */
export function environmentOf(given: Invocation): Readonly<Record<string, string | undefined>> {
  const { environment } = given;
  const set = Object.entries(environment).filter(([, value]) => value !== "");
  return given.text("config") === undefined ? environment : { ...fileOf(given), ...Object.fromEntries(set) };
}

/** Names in the file that are no option of the service, each with the option that it may be meant for. @throws UsageError */
export function unknownVariables(
  given: Invocation,
): readonly { readonly name: string; readonly meant: string | undefined }[] {
  const options = Object.keys(OPTIONS);
  return Object.keys(fileOf(given))
    .filter((name) => !options.includes(name))
    .map((name) => ({ name, meant: nearestNames(name, options, 1)[0] }));
}

/** Options in the configuration file; none without a file. @throws UsageError if it cannot be read */
function fileOf({ text }: Invocation): Readonly<Record<string, string | undefined>> {
  const file = text("config");
  if (file === undefined) return {};
  try {
    return parseEnv(readFileSync(file, "utf8"));
  } catch (error) {
    throw new UsageError(`--config: ${messageOf(error)}`);
  }
}

/** @throws UsageError, ConfigError */
export function configurationOf(given: Invocation): Config {
  return readConfig(environmentOf(given));
}
