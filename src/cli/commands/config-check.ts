import { checkService } from "../../compose/stores.ts";
import { listOptions, readConfig } from "../../ops/config.ts";
import { SECRET_OPTIONS } from "../../ops/options.ts";
import { EXIT, type ExitCode, type Invocation } from "../command.ts";
import { environmentOf, unknownVariables } from "../connection/configuration.ts";
import { columns } from "../view/table.ts";

export async function configCheck(given: Invocation): Promise<ExitCode> {
  const environment = environmentOf(given);
  const config = readConfig(environment);
  checkService(config);
  for (const { name, meant } of unknownVariables(given)) {
    given.note(`${name} is no option of the service${meant === undefined ? "" : `: is ${meant} meant?`}`);
  }
  const settings = listOptions().map(({ name, defaultValue }) => {
    const set = environment[name];
    const isSet = set !== undefined && set !== "";
    const shown = isSet && SECRET_OPTIONS.has(name) ? "(set)" : set;
    return { name, value: isSet ? shown : defaultValue, origin: isSet ? "set" : "default" };
  });
  if (given.has("json")) {
    given.print(JSON.stringify(settings, null, 2));
    return EXIT.ok;
  }
  const set = settings.filter(({ origin }) => origin === "set");
  const rows = set.map(({ name, value }) => [name, value ?? ""]);
  given.print([...columns(rows), `nothing is wrong: ${set.length} of ${settings.length} options are set`].join("\n"));
  return EXIT.ok;
}
