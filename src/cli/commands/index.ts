import type { Command } from "../command.ts";
import { configCheck } from "./config-check.ts";
import { deploy } from "./deploy.ts";
import { doctor } from "./doctor.ts";
import { keysCommands } from "./keys.ts";
import { maker } from "./maker.ts";
import { price } from "./price.ts";
import { quote } from "./quote.ts";
import { replay } from "./replay.ts";
import { serve } from "./serve.ts";
import { snapshot } from "./snapshot.ts";
import { sources } from "./sources.ts";
import { switches, switchOff, switchOn } from "./switch.ts";
import { usage, usageForget } from "./usage.ts";
import { verify } from "./verify.ts";
import { watch } from "./watch.ts";

/** All commands, in the order of the overview. */
export const commands: readonly Command[] = [
  serve,
  price,
  quote,
  sources,
  watch,
  snapshot,
  ...keysCommands,
  usage,
  usageForget,
  switchOff,
  switchOn,
  switches,
  replay,
  configCheck,
  doctor,
  deploy,
  verify,
  maker,
];
