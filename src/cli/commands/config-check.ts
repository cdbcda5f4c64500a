import { checkService } from "../../compose-files.ts";
import { listOptions, readConfig } from "../../ops/config.ts";
import { SECRET_OPTIONS } from "../../ops/options.ts";
import { type Command, EXIT } from "../command.ts";
import { CONFIGURATION_OPTIONS, environmentOf, strangersOf } from "../configuration.ts";
import { columns } from "../table.ts";

export const configCheck: Command = {
  name: "config check",
  about: "Checks the configuration and the files that it names, without starting anything.",
  takes: "",
  options: { ...CONFIGURATION_OPTIONS, json: { about: "print the settings as JSON" } },
  example: "config check --config tributary.env",
  async run(given) {
    const environment = environmentOf(given);
    const config = readConfig(environment);
    checkService(config);
    for (const { name, meant } of strangersOf(given)) {
      given.note(`${name} is no option of the service${meant === undefined ? "" : `: is ${meant} meant?`}`);
    }
    const settings = listOptions().map(({ name, defaultValue }) => {
      const set = environment[name];
      const isSet = set !== undefined && set !== "";
      const shown = isSet && SECRET_OPTIONS.has(name) ? "(set)" : set;
      return { name, value: isSet ? shown : defaultValue, origin: isSet ? "set" : "default" };
    });
    const rows = settings.map(({ name, value, origin }) => [name, value ?? "", origin]);
    given.print(given.has("json") ? JSON.stringify(settings, null, 2) : columns(rows).join("\n"));
    return EXIT.ok;
  },
};
