import { Socket } from "node:net";
import { expect, test } from "vitest";
import { Connection } from "../../../src/api/connections/connection.ts";
import { KeylessConnections } from "../../../src/api/connections/keyless-connections.ts";

const connect = (id: string, network: string) => new Connection(id, { network, isProxy: false }, new Socket());

test("the network with most connections gives way, its oldest idle one first", () => {
  const keyless = new KeylessConnections();
  const [first, second, third] = [connect("1", "here"), connect("2", "there"), connect("3", "there")];
  for (const connection of [first, second, third]) keyless.add(connection);
  expect(keyless.leastUseful()?.id).toBe("2");
  second.begin({ once: () => {} } as never);
  expect(keyless.leastUseful()?.id).toBe("3");
  third.begin({ once: () => {} } as never);
  // None is idle: the oldest.
  expect(keyless.leastUseful()?.id).toBe("2");
});

test("of a network that is named, one of its own gives way, or none", () => {
  const keyless = new KeylessConnections();
  const [first, second] = [connect("1", "here"), connect("2", "there")];
  for (const connection of [first, second]) keyless.add(connection);
  expect(keyless.leastUseful("here")?.id).toBe("1");
  keyless.delete(first);
  expect(keyless.leastUseful("here")).toBeUndefined();
  keyless.delete(second);
  expect(keyless.leastUseful()).toBeUndefined();
});
