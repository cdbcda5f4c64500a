import { afterEach, expect, test } from "vitest";
import { createPresetKeys } from "../../src/api/keys/preset-keys.ts";
import { type Door, openDoor } from "../support/door/http.ts";
import { PRICE } from "../support/door/price-call.ts";

const doors: Door[] = [];
afterEach(async () => {
  for (const door of doors.splice(0)) await door.server.drain(100);
});

const LEFT_OUT = "requests without a line of their own";
const linesOf = (door: Door, msg: string) => door.log.filter((line) => line.msg === msg);

test("a flood has some lines and a count of the rest, and the calls of others stay in sight", async () => {
  const keys = ["first-key", "second-key"].map((key) => createPresetKeys(key, { keyId: key }));
  const door = await openDoor(
    { logLinesPerSecond: 10 },
    { verify: (text) => keys.map((store) => store.verify(text)).find((found) => found !== undefined) },
  );
  doors.push(door);
  for (let i = 0; i < 200; i++) await door.get(PRICE, { "api-key": "first-key" });
  await door.get(PRICE, { "api-key": "second-key" });
  await expect.poll(() => linesOf(door, LEFT_OUT).length).toBeGreaterThan(0);
  const lines = linesOf(door, "request");
  expect(lines.length).toBeLessThan(50);
  expect(lines.some(({ keyId }) => keyId === "second-key")).toBe(true);
  const told = () => linesOf(door, LEFT_OUT).reduce((sum, { requests }) => sum + Number(requests), 0);
  await expect.poll(() => lines.length + told()).toBe(201);
  expect(linesOf(door, LEFT_OUT)[0]?.kinds).toMatchObject({ "swap.v1.SwapService/GetPrice ok": expect.any(Number) });
});

test("what is left out is told at the end", async () => {
  const door = await openDoor({ logLinesPerSecond: 1 });
  for (let i = 0; i < 5; i++) await door.get(PRICE);
  await door.server.drain(100);
  expect(linesOf(door, LEFT_OUT).length).toBeGreaterThan(0);
});

test("every request has a line where the operator wants that", async () => {
  const door = await openDoor({ logLinesPerSecond: 0 });
  doors.push(door);
  for (let i = 0; i < 150; i++) await door.get(PRICE);
  await expect.poll(() => linesOf(door, "request").length).toBe(150);
});
