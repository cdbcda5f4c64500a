import { namesChain } from "../../compose/chain-setup.ts";
import { withStores } from "../../compose/stores.ts";
import { isAddressText } from "../../domain/address.ts";
import type { SwitchKind, SwitchRecord } from "../../domain/switches.ts";
import { configuredSources } from "../checks/configured-sources.ts";
import { EXIT, type ExitCode, type Invocation, UsageError } from "../command.ts";
import { configurationOf } from "../connection/configuration.ts";
import { columns } from "../view/table.ts";

const KINDS: readonly SwitchKind[] = ["source", "pool", "token"];

export async function switchOff(given: Invocation): Promise<ExitCode> {
  return change(given, true);
}

export async function switchOn(given: Invocation): Promise<ExitCode> {
  return change(given, false);
}

export async function switches(given: Invocation): Promise<ExitCode> {
  const history = await withRecord(given, (record) => record.history());
  if (given.has("json")) given.print(JSON.stringify(history, null, 2));
  else {
    const lines = history.map(({ at, off, kind, id, reason }) => {
      return [new Date(at).toISOString(), off ? "off" : "on", kind, id, reason];
    });
    given.print(columns([["when", "", "kind", "id", "reason"], ...lines], []).join("\n"));
  }
  return EXIT.ok;
}

async function change(given: Invocation, off: boolean): Promise<ExitCode> {
  const [kindText, idText, ...more] = given.positionals;
  const kind = KINDS.find((known) => known === kindText);
  const reason = given.text("reason")?.trim() ?? "";
  if (kind === undefined || idText === undefined || more.length > 0) {
    throw new UsageError(`name what to switch: ${KINDS.join(", ")}, and its name, id or address`);
  }
  if (kind === "token" && !isAddressText(idText)) throw new UsageError(`${idText} is not an address: give the token's`);
  if (reason === "") throw new UsageError("give --reason: it goes on record");
  const id = kind === "source" ? sourceOf(given, idText, off) : idText.toLowerCase();
  const changed = await withRecord(given, (record) => record.set({ kind, id, off, reason }));
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
  throw new UsageError(`there is no source ${text}: give one of ${names.join(", ")}`);
}

function withRecord<T>(given: Invocation, work: (record: SwitchRecord) => Promise<T>): Promise<T> {
  return withStores(configurationOf(given), async (stores) => work(await stores.switches()));
}
