import { connect } from "node:net";
import { afterEach, expect, test } from "vitest";
import { type Door, KEY, openDoor, rawExchange } from "../../support/door/http.ts";
import { PRICE } from "../../support/door/price-call.ts";

const GET = `GET ${PRICE} HTTP/1.1\r\nHost: x\r\napi-key: ${KEY}\r\n\r\n`;
const OK = /HTTP\/1\.1 200 /g;

const doors: Door[] = [];
afterEach(async () => {
  for (const door of doors.splice(0)) await door.server.drain(100);
});
async function newDoor(): Promise<Door> {
  const door = await openDoor();
  doors.push(door);
  return door;
}

/** Lets calls be answered one by one. */
function stepByStep(door: Door) {
  const waiting: (() => void)[] = [];
  door.quoting.before = () => new Promise<void>((resolve) => waiting.push(resolve));
  return { waiting, asked: () => door.quoting.asked.length };
}

test("pipelined requests are worked on one after the other", async () => {
  const door = await newDoor();
  const { waiting } = stepByStep(door);
  const answer = rawExchange(door.port, GET.repeat(3), (text) => text.match(OK)?.length === 3);
  for (let i = 0; i < 3; i++) {
    await expect.poll(() => waiting.length).toBe(1);
    // Other calls that were read are not begun: a call on another connection overtakes them.
    expect((await door.get("/livez")).status).toBe(200);
    expect(waiting).toHaveLength(1);
    waiting.pop()?.();
  }
  expect((await answer).match(OK)).toHaveLength(3);
});

test("all of 1,000 requests that are pipelined at once are answered, and one is in flight", async () => {
  const door = await newDoor();
  const { waiting } = stepByStep(door);
  let answered = 0;
  const socket = connect(door.port, "127.0.0.1", () => socket.write(GET.repeat(1_000)));
  socket.on("error", () => {});
  socket.on("data", (chunk) => {
    answered += chunk.toString("latin1").match(OK)?.length ?? 0;
    if (answered === 1_000) socket.destroy();
  });
  await expect.poll(() => waiting.length).toBe(1);
  // A few were parsed, and none but the first was begun.
  const { values } = await door.metrics.apiRequestsInFlight.get();
  expect(values[0]?.value).toBe(1);
  door.quoting.before = async () => {};
  waiting.pop()?.();
  await new Promise((resolve) => socket.once("close", resolve));
  expect(answered).toBe(1_000);
});

test("what waits when its connection closes is neither worked on nor logged", async () => {
  const door = await newDoor();
  const { waiting, asked } = stepByStep(door);
  const socket = connect(door.port, "127.0.0.1", () => socket.write(GET.repeat(50)));
  await expect.poll(() => waiting.length).toBe(1);
  socket.destroy();
  await expect.poll(() => door.log.filter(({ msg }) => msg === "request").length).toBe(1);
  waiting.pop()?.();
  expect((await door.get("/livez")).status).toBe(200);
  expect(asked()).toBeLessThanOrEqual(1);
  expect(door.log.filter(({ msg }) => msg === "request").length).toBeLessThanOrEqual(2);
});

test("a request with a body may be followed by another one", async () => {
  const door = await newDoor();
  const body = JSON.stringify(Object.fromEntries(new URLSearchParams(PRICE.split("?")[1])));
  const head = `POST /swap.v1.SwapService/GetPrice HTTP/1.1\r\nHost: x\r\napi-key: ${KEY}\r\n`;
  const post = `${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const text = await rawExchange(door.port, (post + GET).repeat(4), (answer) => answer.match(OK)?.length === 8);
  expect(text.match(OK)).toHaveLength(8);
});
