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
  surplus: null,
  limit: null,
};
const NARROW: KeyTerms = {
  ...PLAIN,
  methods: ["GetPrice"],
  origins: ["https://dapp.example"],
  integrator: { recipient: RECIPIENT, ratePpm: 2_500n },
  surplus: { recipient: toAddress(`0x${"cd".repeat(20)}`), ratePpm: 500_000n },
  limit: { unitsPerSecond: 7, burst: 9 },
};

/** Holds every implementation of KeyDatabase to the same. `create` answers what opens one state again and again. */
export function describeKeyDatabase(
  name: string,
  create: (digest: Digest, now: () => number) => () => KeyDatabase | Promise<KeyDatabase>,
) {
  const ends: (() => void)[] = [];
  afterEach(() => {
    for (const end of ends.splice(0).reverse()) end();
  });

  /** A desk that makes keys, and a service's copy of them through another opening, at a time that the test sets. */
  async function world() {
    const clock = { now: 1_000_000 };
    const open = create(DIGEST, () => clock.now);
    const opened = async () => {
      const database = await open();
      ends.push(database.close);
      return database;
    };
    const [desk, service] = [await opened(), await opened()];
    const copy = await createKeyCopy(service, DIGEST, { logger: createLogger("silent"), now: () => clock.now });
    ends.push(copy.stop);
    const verify = async (key: string) => {
      await copy.refresh();
      return copy.verify(key);
    };
    return { clock, desk, service, verify };
  }

  describe(`keys kept ${name}`, () => {
    test("carry their terms", async () => {
      const { desk, verify } = await world();
      const { key, record } = await desk.create(NARROW);
      expect(await desk.find(record.id)).toEqual(record);
      expect(record).toMatchObject({ ...NARROW, createdAt: 1_000_000, revokedAt: null });
      const { account, methods, origins, integrator, surplus, limit } = NARROW;
      expect(await verify(key)).toEqual({ keyId: record.id, account, methods, origins, integrator, surplus, limit });
      const bare = await desk.create({ ...PLAIN, integrator: { recipient: RECIPIENT, ratePpm: null } });
      const terms = { keyId: bare.record.id, account: "acme", integrator: { recipient: RECIPIENT } };
      expect(await verify(bare.key)).toEqual(terms);
    });

    test("hold a digest, and never the secret", async () => {
      const { desk } = await world();
      const { key, record } = await desk.create(PLAIN);
      const { id, secret } = parseKeyText(key)!;
      expect(id).toBe(record.id);
      expect(record.secrets.map(({ digest }) => Buffer.from(digest))).toEqual([DIGEST(id, secret)]);
      expect(JSON.stringify(await desk.list())).not.toContain(secret);
    });

    test("stand in the order in which they were made", async () => {
      const { desk, service, clock } = await world();
      expect(await desk.list()).toEqual([]);
      const ids: string[] = [];
      for (const label of ["first", "second", "third"]) {
        clock.now += 1;
        ids.push((await desk.create({ ...PLAIN, label })).record.id);
      }
      expect(new Set(ids).size).toBe(3);
      expect((await service.list()).map(({ id, label }) => [id, label])).toEqual([
        [ids[0], "first"],
        [ids[1], "second"],
        [ids[2], "third"],
      ]);
    });

    test("are unknown by another secret, or another id", async () => {
      const { desk, verify } = await world();
      const [one, two] = [await desk.create(PLAIN), await desk.create(PLAIN)].map(({ key }) => parseKeyText(key)!);
      expect(await verify(keyText({ id: one!.id, secret: two!.secret }))).toBeUndefined();
      expect(await verify(keyText({ id: "unknown000", secret: one!.secret }))).toBeUndefined();
      expect(await verify("not a key")).toBeUndefined();
      expect(await verify(keyText(one!))).toMatchObject({ keyId: one!.id });
    });

    test("change in the terms that are named, and keep secrets and the rest", async () => {
      const { desk, service, verify } = await world();
      const { key, record } = await desk.create(NARROW);
      const changed = await desk.update(record.id, { label: "renamed", methods: null });
      expect(changed).toEqual({ ...record, label: "renamed", methods: null });
      expect(await service.find(record.id)).toEqual(changed);
      expect(await verify(key)).toMatchObject({ keyId: record.id, origins: NARROW.origins });
    });

    test("end when they expire, and are not rotated then", async () => {
      const { desk, verify, clock } = await world();
      const { key, record } = await desk.create({ ...PLAIN, expiresAt: clock.now + 10 });
      clock.now += 9;
      expect(await verify(key)).toMatchObject({ account: "acme" });
      clock.now += 1;
      expect(await verify(key)).toBe("EXPIRED");
      await expect(desk.rotate(record.id, 0)).rejects.toThrow(/has expired/);
      await desk.update(record.id, { expiresAt: clock.now + 1 });
      expect(await verify(key)).toMatchObject({ account: "acme" });
    });

    test("end when they are revoked, once", async () => {
      const { desk, verify, clock } = await world();
      const { key, record } = await desk.create(PLAIN);
      clock.now += 1;
      expect(await desk.revoke(record.id)).toBe(true);
      clock.now += 1;
      expect(await desk.revoke(record.id)).toBe(false);
      expect((await desk.find(record.id))?.revokedAt).toBe(1_000_001);
      expect(await verify(key)).toBe("REVOKED");
      await expect(desk.rotate(record.id, 0)).rejects.toThrow(/was revoked/);
      await expect(desk.update(record.id, { label: "late" })).rejects.toThrow(/was revoked/);
    });

    test("that do not exist are told by their id", async () => {
      const { desk } = await world();
      expect(await desk.find("nobody0000")).toBeUndefined();
      const changes = [
        () => desk.revoke("nobody0000"),
        () => desk.rotate("nobody0000", 0),
        () => desk.update("nobody0000", {}),
      ];
      for (const change of changes) await expect(change()).rejects.toThrow(/no key with the id nobody0000/);
      expect(await desk.list()).toEqual([]);
    });

    test("are rotated: both secrets hold for a while, then the new one alone", async () => {
      const { desk, verify, clock } = await world();
      const { key: first, record } = await desk.create(PLAIN);
      clock.now += 1;
      const { key: second } = await desk.rotate(record.id, 100);
      expect(parseKeyText(second)!.id).toBe(record.id);
      expect((await desk.find(record.id))?.secrets.map(({ createdAt }) => createdAt)).toEqual([1_000_001, 1_000_000]);
      for (const key of [first, second]) expect(await verify(key)).toMatchObject({ keyId: record.id });
      clock.now += 100;
      expect(await verify(first)).toBe("EXPIRED");
      expect(await verify(second)).toMatchObject({ keyId: record.id });
      const { key: third } = await desk.rotate(record.id, 0);
      expect((await desk.find(record.id))?.secrets).toHaveLength(2);
      const verdicts = await Promise.all([first, second, third].map(verify));
      expect(verdicts.map((verdict) => typeof verdict)).toEqual(["undefined", "string", "object"]);
    });

    test("are rotated twice without prolonging an old secret", async () => {
      const { desk, verify, clock } = await world();
      const { key: first, record } = await desk.create(PLAIN);
      await desk.rotate(record.id, 100);
      await desk.rotate(record.id, 10_000);
      clock.now += 100;
      expect(await verify(first)).toBe("EXPIRED");
    });

    test("have another version after each change of somebody else, and none without one", async () => {
      const { desk, service } = await world();
      const versions = [await service.version()];
      const { record } = await desk.create(PLAIN);
      versions.push(await service.version());
      await desk.update(record.id, { label: "renamed" });
      versions.push(await service.version());
      await desk.rotate(record.id, 0);
      versions.push(await service.version());
      await desk.revoke(record.id);
      versions.push(await service.version());
      expect(new Set(versions).size).toBe(5);
      await desk.list();
      expect(await service.version()).toBe(versions.at(-1));
    });
  });
}
