import { namesChain } from "../../compose-place.ts";
import { isAddressText } from "../../domain/address.ts";
import type { SwitchKind } from "../../domain/switches.ts";
import { openSwitches } from "../../ops/operator-files.ts";
import type { SwitchRecord } from "../../ops/switch-record.ts";
import { type Command, EXIT, type Invocation, UsageError } from "../command.ts";
import { CONFIGURATION_OPTIONS, configurationOf } from "../configuration.ts";
import { configuredSources } from "../configured-sources.ts";
import { columns } from "../table.ts";
import { withDatabase } from "../with-database.ts";

const KINDS: readonly SwitchKind[] = ["source", "pool", "token"];

const OPTIONS = {
  ...CONFIGURATION_OPTIONS,
  reason: { value: "text", about: "why; it goes on record" },
  json: { about: "print JSON" },
} as const;

export const switchOff: Command = {
  name: "switch off",
  about: "Takes a source, a pool or a token out of all routes of the running service, within a second.",
  takes: "KIND ID",
  options: OPTIONS,
  example: 'switch off source Uniswap_V2 --reason "pays less than it says"',
  run: async (given) => change(given, true),
};

export const switchOn: Command = {
  name: "switch on",
  about: "Takes back what was switched off.",
  takes: "KIND ID",
  options: OPTIONS,
  example: 'switch on source Uniswap_V2 --reason "mended"',
  run: async (given) => change(given, false),
};

export const switches: Command = {
  name: "switches",
  about: "Lists every source, pool and token that was ever switched off or on, when and why.",
  takes: "",
  options: { ...CONFIGURATION_OPTIONS, json: { about: "print JSON" } },
  example: "switches",
  async run(given) {
    const history = withRecord(given, (record) => record.history());
    if (given.has("json")) given.print(JSON.stringify(history, null, 2));
    else {
      const lines = history.map(({ at, off, kind, id, reason }) => {
        return [new Date(at).toISOString(), off ? "off" : "on", kind, id, reason];
      });
      given.print(columns([["when", "", "kind", "id", "reason"], ...lines], []).join("\n"));
    }
    return EXIT.ok;
  },
};

function change(given: Invocation, off: boolean) {
  const [kindText, idText, ...more] = given.positionals;
  const kind = KINDS.find((known) => known === kindText);
  const reason = given.text("reason")?.trim() ?? "";
  if (kind === undefined || idText === undefined || more.length > 0) {
    throw new UsageError(`name what to switch: ${KINDS.join(", ")}, and its name, id or address`);
  }
  if (kind === "token" && !isAddressText(idText)) throw new UsageError(`not a token's address: ${idText}`);
  if (reason === "") throw new UsageError("--reason is needed: it goes on record");
  const id = kind === "source" ? sourceOf(given, idText, off) : idText.toLowerCase();
  const changed = withRecord(given, (record) => record.set({ kind, id, off, reason }));
  const state = off ? "off" : "on";
  if (given.has("json")) given.print(JSON.stringify({ kind, id, off, changed }));
  else given.print(changed ? `${kind} ${id} is ${state} now` : `${kind} ${id} was ${state} before`);
  return EXIT.ok;
}

/** A source's own spelling. @throws UsageError for a source that the configured chain does not have */
function sourceOf(given: Invocation, text: string, off: boolean): string {
  const config = configurationOf(given);
  const names = configuredSources(config);
  const name = names.find((known) => known.toLowerCase() === text.toLowerCase());
  // Without a chain the service may know more than the devnet; and a source may be gone that was switched off once.
  if (name !== undefined || !namesChain(config) || !off) return name ?? text;
  throw new UsageError(`there is no source ${text} in this configuration, only ${names.join(", ")}`);
}

function withRecord<T>(given: Invocation, work: (record: SwitchRecord) => T): T {
  const { DATA_DIR: dataDir } = configurationOf(given);
  return withDatabase(() => openSwitches(dataDir), work);
}
