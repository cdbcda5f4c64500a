import { existingKey, type KeyDatabase } from "../../api/keys/key-database.ts";
import type { KeyRecord } from "../../api/keys/key-record.ts";
import type { ChainRecord } from "../../chain/chains/chain-record.ts";
import { configuredChain } from "../../compose/chain-setup.ts";
import { redisOptionsOf } from "../../compose/fleet.ts";
import { withStores } from "../../compose/stores.ts";
import { type Address, NATIVE_TOKEN } from "../../domain/address.ts";
import { messageOf } from "../../domain/message-of.ts";
import { ConfigError } from "../../ops/config.ts";
import { createLogger } from "../../ops/logger.ts";
import { allContracts, settlementContracts } from "../../settlement/contracts.ts";
import type { RedisOptions } from "../../stores/redis/connection.ts";
import { revokeInFleet } from "../../stores/redis/open-fleet.ts";
import { EXIT, type ExitCode, type Invocation, UsageError } from "../command.ts";
import { DEFAULT_OVERLAP } from "../command-options.ts";
import { configurationOf } from "../connection/configuration.ts";
import { durationOf } from "../view/duration.ts";
import { changesOf, termsOf } from "../view/key-terms.ts";
import { keyJson, keyLines, keyTable } from "../view/key-view.ts";

export async function keysCreate(given: Invocation): Promise<ExitCode> {
  const terms = termsOf(given, Date.now(), contractsOf(configuredChain(configurationOf(given))));
  const { key, record } = await withKeys(given, (keys) => keys.create(terms));
  showNewKey(given, key, record);
  return EXIT.ok;
}

export async function keysUpdate(given: Invocation): Promise<ExitCode> {
  const id = idOf(given);
  const contracts = contractsOf(configuredChain(configurationOf(given)));
  const record = await withKeys(given, async (keys) => {
    const current = await keys.find(id);
    const existing = existingKey(id, current);
    return keys.update(id, changesOf(given, existing, Date.now(), contracts));
  });
  const [used, now] = [(await lastUsed(given)).get(id), Date.now()];
  if (given.has("json")) print(given, keyJson(record, used, now));
  else given.print(keyLines(record, used, now));
  return EXIT.ok;
}

export async function keysRotate(given: Invocation): Promise<ExitCode> {
  const overlapMs = durationOf("overlap", given.text("overlap") ?? DEFAULT_OVERLAP);
  const { key, record } = await withKeys(given, (keys) => keys.rotate(idOf(given), overlapMs));
  showNewKey(given, key, record);
  return EXIT.ok;
}

export async function keysList(given: Invocation): Promise<ExitCode> {
  const keys = await withKeys(given, (database) => database.list());
  const [used, now] = [await lastUsed(given), Date.now()];
  if (given.has("json"))
    print(
      given,
      keys.map((key) => keyJson(key, used.get(key.id), now)),
    );
  else given.print(keyTable(keys, used, now));
  return EXIT.ok;
}

export async function keysShow(given: Invocation): Promise<ExitCode> {
  const id = idOf(given);
  const key = existingKey(id, await withKeys(given, (database) => database.find(id)));
  const [used, now] = [(await lastUsed(given)).get(id), Date.now()];
  if (given.has("json")) print(given, keyJson(key, used, now));
  else given.print(keyLines(key, used, now));
  return EXIT.ok;
}

export async function keysRevoke(given: Invocation): Promise<ExitCode> {
  const id = idOf(given);
  const fresh = await withKeys(given, (keys) => keys.revoke(id));
  const config = configurationOf(given);
  const place = redisOptionsOf(config, configuredChain(config), createLogger("silent"));
  if (place !== undefined) await inFleet(place, id);
  given.print(fresh ? `${id} is revoked` : `${id} was revoked before`);
  return EXIT.ok;
}

/** Contracts of every route, which can do nothing with a fee. Other tokens are found out when a request comes. */
function contractsOf({ wrappedNative }: ChainRecord): ReadonlyMap<Address, string> {
  const contracts = allContracts(settlementContracts(wrappedNative));
  const ours = contracts.map(({ address }) => [address, "a settlement contract"] as const);
  return new Map([[NATIVE_TOKEN, "the native token"], [wrappedNative, "the wrapped native token"], ...ours]);
}

/** @throws ConfigError when Redis cannot be told: processes that have read the keys before learn of it by the database alone */
async function inFleet(place: RedisOptions, id: string): Promise<void> {
  try {
    await revokeInFleet(place, id);
  } catch (error) {
    const why = `${messageOf(error)}: ${id} is revoked in the database, but Redis was not told: run the command again`;
    throw new ConfigError([`REDIS_URL: ${why}`]);
  }
}

/** @throws ConfigError when the database cannot be used */
async function withKeys<T>(given: Invocation, work: (keys: KeyDatabase) => Promise<T>): Promise<T> {
  return withStores(configurationOf(given), async (stores) => work((await stores.keys()).database));
}

async function lastUsed(given: Invocation): Promise<ReadonlyMap<string, number>> {
  return withStores(configurationOf(given), async (stores) => (await stores.usage()).lastUsed());
}

function idOf({ positionals }: Invocation): string {
  const [id, ...more] = positionals;
  if (id === undefined || more.length > 0) throw new UsageError("give the id of one key: see tributary keys list");
  // A whole key stands for its id.
  return /^trb_([0-9A-Za-z]{10})_/.exec(id)?.[1] ?? id;
}

function showNewKey(given: Invocation, key: string, record: KeyRecord): void {
  const now = Date.now();
  if (given.has("json")) {
    print(given, { key, ...keyJson(record, undefined, now) });
    return;
  }
  given.print(keyLines(record, undefined, now));
  given.print(`key        ${key}`);
  given.note("Save the key now: it is not shown again.");
}

function print(given: Invocation, value: unknown): void {
  given.print(JSON.stringify(value, null, 2));
}
