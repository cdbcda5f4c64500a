import type { Command } from "./command.ts";
import {
  CONFIGURATION_OPTIONS,
  DEFAULT_OVERLAP,
  JSON_OPTION,
  TERMS_OPTIONS,
  UPDATE_OPTIONS,
} from "./command-options.ts";

/** The commands for API keys, in the order of the overview, each with the function of commands/keys.ts that it is. */
export const KEY_COMMANDS = [
  {
    name: "keys create",
    about: "Creates an API key and shows it once. A running service accepts it within seconds.",
    takes: "",
    options: { ...TERMS_OPTIONS, ...CONFIGURATION_OPTIONS, ...JSON_OPTION },
    example: "keys create --label wallet --scopes price,quote --rate 50 --expires 90d",
    does: "keysCreate",
  },
  {
    name: "keys list",
    about: "Lists all API keys, without their secrets: these are not stored.",
    takes: "",
    options: { ...CONFIGURATION_OPTIONS, ...JSON_OPTION },
    example: "keys list",
    does: "keysList",
  },
  {
    name: "keys show",
    about: "Shows one API key, without its secret.",
    takes: "<id>",
    options: { ...CONFIGURATION_OPTIONS, ...JSON_OPTION },
    example: "keys show 0aB1cD2eF3",
    does: "keysShow",
  },
  {
    name: "keys update",
    about: "Changes the given terms of an API key. A running service follows within seconds.",
    takes: "<id>",
    options: { ...UPDATE_OPTIONS, ...CONFIGURATION_OPTIONS, ...JSON_OPTION },
    example: "keys update 0aB1cD2eF3 --rate 100 --expires never",
    does: "keysUpdate",
  },
  {
    name: "keys rotate",
    about: "Gives a key a new secret and shows it once. The old secret stays valid for --overlap.",
    takes: "<id>",
    options: {
      overlap: { value: "span", about: `how long the old secret stays valid; ${DEFAULT_OVERLAP} without it` },
      ...CONFIGURATION_OPTIONS,
      ...JSON_OPTION,
    },
    example: "keys rotate 0aB1cD2eF3 --overlap 12h",
    does: "keysRotate",
  },
  {
    name: "keys revoke",
    about: "Ends an API key for good. A running service refuses it within seconds, and ends its streams.",
    takes: "<id>",
    options: CONFIGURATION_OPTIONS,
    example: "keys revoke 0aB1cD2eF3",
    does: "keysRevoke",
  },
] as const satisfies readonly (Omit<Command, "run"> & { readonly does: string })[];
