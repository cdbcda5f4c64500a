import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { authenticate } from "../../../src/api/keys/authorize.ts";
import { firstOf } from "../../../src/api/keys/first-of.ts";
import { createKeyCopy, type KeyCopy } from "../../../src/api/keys/key-copy.ts";
import type { KeyDatabase } from "../../../src/api/keys/key-database.ts";
import { keyText, parseKeyText } from "../../../src/api/keys/key-text.ts";
import { createDigest, pepperFromFile } from "../../../src/api/keys/pepper.ts";
import { createPresetKeys } from "../../../src/api/keys/preset-keys.ts";
import { createLogger } from "../../../src/ops/logger.ts";
import { openKeyDatabase } from "../../../src/stores/sqlite/key-database.ts";
import { PLAIN } from "../../stores/key-database.suite.ts";

const DIGEST = createDigest("p".repeat(32));
const SILENT = createLogger("silent");

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0).reverse()) end();
});

/** A folder of its own, removed at the end. */
function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "keys-"));
  ends.push(() => rmSync(path, { recursive: true }));
  return path;
}

/** A database and a service's copy of it through a connection of its own, at a time that the test sets. */
async function world(file = join(folder(), "keys.sqlite")) {
  const clock = { now: 1_000_000 };
  const open = () => {
    const database = openKeyDatabase(file, DIGEST, () => clock.now);
    ends.push(database.close);
    return database;
  };
  const desk: KeyDatabase = open();
  const copy: KeyCopy = await createKeyCopy(open(), DIGEST, { logger: SILENT, now: () => clock.now });
  ends.push(copy.stop);
  return { file, clock, desk, copy };
}

describe("the text of a key", () => {
  const text = keyText({ id: "0123456789", secret: "s".repeat(32) });

  test("has prefix, id, secret and checksum", () => {
    expect(text).toMatch(/^trb_0123456789_s{32}_[0-9A-Za-z]{6}$/);
    expect(parseKeyText(text)).toEqual({ id: "0123456789", secret: "s".repeat(32) });
  });

  test("with any one character changed is no key", () => {
    for (let at = 0; at < text.length; at++) {
      const other = text[at] === "x" ? "y" : "x";
      expect(parseKeyText(text.slice(0, at) + other + text.slice(at + 1)), `at ${at}`).toBeUndefined();
    }
    for (const wrong of [
      "",
      `${text} `,
      `${text}\n`,
      text.slice(1),
      text.toLowerCase() === text ? "" : text.toLowerCase(),
    ])
      expect(parseKeyText(wrong)).toBeUndefined();
  });
});

describe("a key", () => {
  test("opens the door, and is kept as a digest only", async () => {
    const { file, desk, copy } = await world();
    const { key, record } = await desk.create({ ...PLAIN, label: "for the wallet" });
    await copy.refresh();
    expect(copy.verify(key)).toEqual({ keyId: record.id, account: "acme" });
    const { secret } = parseKeyText(key)!;
    for (const kept of [file, `${file}-wal`]) expect(readFileSync(kept, "latin1")).not.toContain(secret);
    expect(readFileSync(file, "latin1")).toContain("for the wallet");
    expect(JSON.stringify(await desk.list())).not.toContain(secret);
  });
});

describe("the copy", () => {
  const onChange = () => () => {};

  test("notices within seconds what another connection has changed", async () => {
    const { desk, copy } = await world();
    const { key, record } = await desk.create(PLAIN);
    await expect.poll(() => copy.verify(key)).toMatchObject({ keyId: record.id });
    await desk.revoke(record.id);
    await expect.poll(() => copy.verify(key)).toBe("REVOKED");
  });

  test("reads all keys only when something has changed", async () => {
    let [reads, version] = [0, 1];
    const list = async () => {
      reads++;
      return [];
    };
    const copy = await createKeyCopy({ list, version: async () => version, onChange }, DIGEST, { logger: SILENT });
    ends.push(copy.stop);
    await copy.refresh();
    await copy.refresh();
    expect(reads).toBe(1);
    version++;
    await copy.refresh();
    expect(reads).toBe(2);
  });

  test("that cannot be renewed for long opens nothing", async () => {
    const file = join(folder(), "keys.sqlite");
    const database = openKeyDatabase(file, DIGEST);
    ends.push(database.close);
    const { key } = await database.create(PLAIN);
    const clock = { now: 0, broken: false };
    const version = async () => {
      if (clock.broken) throw new Error("disk I/O error");
      return 1;
    };
    const copy = await createKeyCopy({ list: database.list, version, onChange }, DIGEST, {
      logger: SILENT,
      now: () => clock.now,
    });
    ends.push(copy.stop);
    clock.broken = true;
    clock.now = 30_000;
    await copy.refresh();
    expect(copy.verify(key)).toMatchObject({ account: "acme" });
    clock.now = 30_001;
    await copy.refresh();
    expect(() => copy.verify(key)).toThrow(expect.objectContaining({ kind: "UNAVAILABLE", reason: "KEYS_UNREADABLE" }));
    clock.broken = false;
    await copy.refresh();
    expect(copy.verify(key)).toMatchObject({ account: "acme" });
  });
});

describe("the pepper", () => {
  test("is made once, for its owner's eyes only", () => {
    const file = join(folder(), "new", "key-pepper");
    const pepper = pepperFromFile(file);
    expect(pepper).toMatch(/^[0-9a-f]{64}$/);
    expect(pepperFromFile(file)).toBe(pepper);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    writeFileSync(file, "");
    expect(() => pepperFromFile(file)).toThrow(/is damaged/);
  });

  test("of another service is told at once", async () => {
    const { file } = await world();
    expect(() => openKeyDatabase(file, createDigest("q".repeat(32)))).toThrow(/made with another pepper/);
  });
});

describe("authenticate", () => {
  test("says why a key that was right once is refused", () => {
    for (const end of ["EXPIRED", "REVOKED"] as const) {
      const refused = () => authenticate({ verify: () => end }, "k");
      expect(refused).toThrow(expect.objectContaining({ kind: "UNAUTHENTICATED", reason: `API_KEY_${end}` }));
    }
  });

  test("asks one store after the other", async () => {
    const { desk, copy } = await world();
    const { key } = await desk.create(PLAIN);
    await copy.refresh();
    const keys = firstOf(createPresetKeys("the-operators-own"), copy);
    expect(authenticate(keys, "the-operators-own")).toEqual({ keyId: "preset" });
    expect(authenticate(keys, key)).toMatchObject({ account: "acme" });
    expect(() => authenticate(keys, "neither")).toThrow(/not valid/);
  });
});
