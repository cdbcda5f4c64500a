import { afterEach, describe, expect, test } from "vitest";
import { createKeyCopy } from "../../src/api/keys/key-copy.ts";
import type { KeyDatabase } from "../../src/api/keys/key-database.ts";
import type { KeyTerms } from "../../src/api/keys/key-record.ts";
import { keyText, parseKeyText } from "../../src/api/keys/key-text.ts";
import { createDigest, type Digest } from "../../src/api/keys/pepper.ts";
import { toAddress } from "../../src/domain/address.ts";
import { createLogger } from "../../src/ops/logger.ts";

const DIGEST = createDigest("p".repeat(32));
const RECIPIENT = toAddress(`0x${"ab".repeat(20)}`);
/** Terms that limit nothing. */
export const PLAIN: KeyTerms = {
  account: "acme",
  label: "",
  expiresAt: null,
  methods: null,
  origins: null,
  integrator: null,
  limit: null,
};
const NARROW: KeyTerms = {
  ...PLAIN,
  methods: ["GetPrice"],
  origins: ["https://dapp.example"],
  integrator: { recipient: RECIPIENT, ratePpm: 2_500n },
  limit: { unitsPerSecond: 7, burst: 9 },
};

/** Holds every implementation of KeyDatabase to the same. `create` answers what opens one state again and again. */
export function describeKeyDatabase(name: string, create: (digest: Digest, now: () => number) => () => KeyDatabase) {
  const ends: (() => void)[] = [];
  afterEach(() => {
    for (const end of ends.splice(0).reverse()) end();
  });

  /** A desk that makes keys, and a service's copy of them through another opening, at a time that the test sets. */
  function world() {
    const clock = { now: 1_000_000 };
    const open = create(DIGEST, () => clock.now);
    const opened = () => {
      const database = open();
      ends.push(database.close);
      return database;
    };
    const [desk, service] = [opened(), opened()];
    const copy = createKeyCopy(service, DIGEST, { logger: createLogger("silent"), now: () => clock.now });
    ends.push(copy.stop);
    const verify = (key: string) => {
      copy.refresh();
      return copy.verify(key);
    };
    return { clock, desk, service, verify };
  }

  describe(`keys kept ${name}`, () => {
    test("carry their terms", () => {
      const { desk, verify } = world();
      const { key, record } = desk.create(NARROW);
      expect(desk.find(record.id)).toEqual(record);
      expect(record).toMatchObject({ ...NARROW, createdAt: 1_000_000, revokedAt: null });
      const { account, methods, origins, integrator, limit } = NARROW;
      expect(verify(key)).toEqual({ keyId: record.id, account, methods, origins, integrator, limit });
      const bare = desk.create({ ...PLAIN, integrator: { recipient: RECIPIENT, ratePpm: null } });
      const terms = { keyId: bare.record.id, account: "acme", integrator: { recipient: RECIPIENT } };
      expect(verify(bare.key)).toEqual(terms);
    });

    test("hold a digest, and never the secret", () => {
      const { desk } = world();
      const { key, record } = desk.create(PLAIN);
      const { id, secret } = parseKeyText(key)!;
      expect(id).toBe(record.id);
      expect(record.secrets.map(({ digest }) => Buffer.from(digest))).toEqual([DIGEST(id, secret)]);
      expect(JSON.stringify(desk.list())).not.toContain(secret);
    });

    test("stand in the order in which they were made", () => {
      const { desk, service, clock } = world();
      expect(desk.list()).toEqual([]);
      const ids = ["first", "second", "third"].map((label) => {
        clock.now += 1;
        return desk.create({ ...PLAIN, label }).record.id;
      });
      expect(new Set(ids).size).toBe(3);
      expect(service.list().map(({ id, label }) => [id, label])).toEqual([
        [ids[0], "first"],
        [ids[1], "second"],
        [ids[2], "third"],
      ]);
    });

    test("are unknown by another secret, or another id", () => {
      const { desk, verify } = world();
      const [one, two] = [desk.create(PLAIN), desk.create(PLAIN)].map(({ key }) => parseKeyText(key)!);
      expect(verify(keyText({ id: one!.id, secret: two!.secret }))).toBeUndefined();
      expect(verify(keyText({ id: "unknown000", secret: one!.secret }))).toBeUndefined();
      expect(verify("not a key")).toBeUndefined();
      expect(verify(keyText(one!))).toMatchObject({ keyId: one!.id });
    });

    test("change in the terms that are named, and keep secrets and the rest", () => {
      const { desk, service, verify } = world();
      const { key, record } = desk.create(NARROW);
      const changed = desk.update(record.id, { label: "renamed", methods: null });
      expect(changed).toEqual({ ...record, label: "renamed", methods: null });
      expect(service.find(record.id)).toEqual(changed);
      expect(verify(key)).toMatchObject({ keyId: record.id, origins: NARROW.origins });
    });

    test("end when they expire, and are not rotated then", () => {
      const { desk, verify, clock } = world();
      const { key, record } = desk.create({ ...PLAIN, expiresAt: clock.now + 10 });
      clock.now += 9;
      expect(verify(key)).toMatchObject({ account: "acme" });
      clock.now += 1;
      expect(verify(key)).toBe("EXPIRED");
      expect(() => desk.rotate(record.id, 0)).toThrow(/has expired/);
      desk.update(record.id, { expiresAt: clock.now + 1 });
      expect(verify(key)).toMatchObject({ account: "acme" });
    });

    test("end when they are revoked, once", () => {
      const { desk, verify, clock } = world();
      const { key, record } = desk.create(PLAIN);
      clock.now += 1;
      expect(desk.revoke(record.id)).toBe(true);
      clock.now += 1;
      expect(desk.revoke(record.id)).toBe(false);
      expect(desk.find(record.id)?.revokedAt).toBe(1_000_001);
      expect(verify(key)).toBe("REVOKED");
      expect(() => desk.rotate(record.id, 0)).toThrow(/was revoked/);
      expect(() => desk.update(record.id, { label: "late" })).toThrow(/was revoked/);
    });

    test("that do not exist are told by their id", () => {
      const { desk } = world();
      expect(desk.find("nobody0000")).toBeUndefined();
      const changes = [
        () => desk.revoke("nobody0000"),
        () => desk.rotate("nobody0000", 0),
        () => desk.update("nobody0000", {}),
      ];
      for (const change of changes) expect(change).toThrow(/no key with the id nobody0000/);
      expect(desk.list()).toEqual([]);
    });

    test("are rotated: both secrets hold for a while, then the new one alone", () => {
      const { desk, verify, clock } = world();
      const { key: first, record } = desk.create(PLAIN);
      clock.now += 1;
      const { key: second } = desk.rotate(record.id, 100);
      expect(parseKeyText(second)!.id).toBe(record.id);
      expect(desk.find(record.id)?.secrets.map(({ createdAt }) => createdAt)).toEqual([1_000_001, 1_000_000]);
      for (const key of [first, second]) expect(verify(key)).toMatchObject({ keyId: record.id });
      clock.now += 100;
      expect(verify(first)).toBe("EXPIRED");
      expect(verify(second)).toMatchObject({ keyId: record.id });
      const { key: third } = desk.rotate(record.id, 0);
      expect(desk.find(record.id)?.secrets).toHaveLength(2);
      expect([first, second, third].map((key) => typeof verify(key))).toEqual(["undefined", "string", "object"]);
    });

    test("are rotated twice without prolonging an old secret", () => {
      const { desk, verify, clock } = world();
      const { key: first, record } = desk.create(PLAIN);
      desk.rotate(record.id, 100);
      desk.rotate(record.id, 10_000);
      clock.now += 100;
      expect(verify(first)).toBe("EXPIRED");
    });

    test("have another version after each change of somebody else, and none without one", () => {
      const { desk, service } = world();
      const versions = [service.version()];
      const { record } = desk.create(PLAIN);
      versions.push(service.version());
      desk.update(record.id, { label: "renamed" });
      versions.push(service.version());
      desk.rotate(record.id, 0);
      versions.push(service.version());
      desk.revoke(record.id);
      versions.push(service.version());
      expect(new Set(versions).size).toBe(5);
      desk.list();
      expect(service.version()).toBe(versions.at(-1));
    });
  });
}
