import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TLSSocket } from "node:tls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { migrateDatabase } from "../../../src/stores/postgres/migrate.ts";
import { openReplica } from "../../support/databases/replica.ts";
import { testDatabases, WITHOUT_POSTGRES } from "../../support/databases/test-postgres.ts";
import { makeCertificate } from "../../support/process/certificate.ts";
import { PLAIN } from "../key-database.suite.ts";

const ours = makeCertificate();
const another = makeCertificate();

/** Protocol version 1234.5679: the client asks for TLS before anything else. */
const SSL_REQUEST = 80_877_103;

/** A server that takes connections with TLS alone, as hosted databases do, in front of the one that tests use. */
function startTlsFront(
  database: string,
  certificate: { readonly cert: string; readonly key: string },
): Promise<Server> {
  const { hostname, port } = new URL(database);
  const server = createServer((socket: Socket) => {
    socket.on("error", () => socket.destroy());
    socket.once("data", (first) => {
      if (first.length !== 8 || first.readInt32BE(4) !== SSL_REQUEST) return void socket.destroy();
      socket.write("S");
      const secure = new TLSSocket(socket, { isServer: true, ...certificate });
      const behind = connect(Number(port || 5432), hostname);
      secure.on("error", () => behind.destroy());
      behind.on("error", () => secure.destroy());
      secure.pipe(behind).pipe(secure);
    });
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

describe.skipIf(WITHOUT_POSTGRES !== undefined || ours === undefined)("a database that wants TLS", () => {
  const databases = testDatabases();
  const folder = mkdtempSync(join(tmpdir(), "postgres-tls-"));
  const [root, stranger] = [join(folder, "root.pem"), join(folder, "stranger.pem")];
  let server: Server;
  let plain: string;
  /** The URL of the server with TLS, with these parameters. */
  const withTls = (parameters: Readonly<Record<string, string>>) => {
    const url = new URL(plain);
    url.port = String((server.address() as AddressInfo).port);
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return url.href;
  };

  beforeAll(async () => {
    writeFileSync(root, ours!.cert);
    writeFileSync(stranger, another!.cert);
    plain = await databases.create();
    server = await startTlsFront(plain, ours!);
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
    server?.close();
  });

  it("serves a replica that knows its authority", async () => {
    const url = withTls({ sslmode: "verify-full", sslrootcert: root });
    expect((await migrateDatabase(url)).made.length).toBeGreaterThan(0);
    const [replica, other] = await Promise.all([openReplica(url), openReplica(url)]);
    try {
      const [{ database: keys }, { database: seen }] = [await replica.keys(), await other.keys()];
      const told = new Promise<void>((resolve) => seen.onChange(resolve));
      const { record } = await keys.create(PLAIN);
      // By LISTEN, on a connection of its own.
      await told;
      expect((await seen.list()).map(({ id }) => id)).toEqual([record.id]);
    } finally {
      await Promise.all([replica.close(), other.close()]);
    }
  });

  it("serves one that checks nothing", async () => {
    expect(await migrateDatabase(withTls({ sslmode: "no-verify" }))).toMatchObject({ made: [] });
  });

  it.each([
    [
      "another authority",
      { sslmode: "verify-full", sslrootcert: stranger },
      /self-signed certificate|unable to verify/,
    ],
    ["no authority of its own", { sslmode: "verify-full" }, /self-signed certificate/],
    ["a file that is not there", { sslmode: "verify-full", sslrootcert: "/nowhere.pem" }, /ENOENT.*nowhere\.pem/],
    ["no TLS", { sslmode: "disable" }, /terminated|closed|ECONNRESET/],
  ])("is refused by one with %s, which says why", async (_, parameters, reason) => {
    await expect(migrateDatabase(withTls(parameters))).rejects.toThrow(reason);
  });
});
