import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { USDC, WETH } from "../../fixtures/door/fake-quoting.ts";
import { refuse } from "../../src/domain/errors/swap-error.ts";
import { type Door, KEY, openDoor } from "../support/door/http.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
let door: Door;

beforeAll(async () => {
  door = await openDoor();
});
afterAll(() => door.server.drain(1_000));

it("a watch whose reader has gone ends, and without a stack trace", async () => {
  const words = ["watch", WETH.address, "1", USDC.address, "--base-units", "--url", door.origin];
  const child = spawn(process.execPath, ["src/cli/main.ts", ...words], {
    cwd: root,
    env: { PATH: process.env.PATH ?? "", TRIBUTARY_API_KEY: KEY },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let complaints = "";
  child.stderr.on("data", (chunk) => {
    complaints += chunk;
  });
  const ended = once(child, "close");
  await Promise.race([once(child.stdout, "data"), ended]);
  child.stdout.destroy();
  // Every other block has a price, so that each is told.
  let block = 0;
  const publishing = setInterval(() => {
    const refused = block++ % 2 === 0;
    door.quoting.before = async () => {
      if (refused) throw refuse("INSUFFICIENT_ASSET_LIQUIDITY", "no route");
    };
    door.market.publish();
  }, 50);
  const [code] = await ended;
  clearInterval(publishing);
  expect({ code, complaints }).toEqual({ code: 0, complaints: "" });
});
