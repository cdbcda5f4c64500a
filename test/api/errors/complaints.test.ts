import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { USDC, WETH } from "../../../fixtures/door/fake-quoting.ts";
import { refuse } from "../../../src/domain/errors/swap-error.ts";
import { COMPLAINTS } from "../../../tools/docs/complaints.ts";
import { type Door, openDoor } from "../../support/door/http.ts";

const VALID = { sellToken: WETH.address, buyToken: USDC.address, sellAmount: "1000" };

let door: Door;
beforeAll(async () => {
  door = await openDoor();
});
afterAll(() => door.server.drain(1_000));

const price = (changes: Record<string, string>) =>
  door.get(`/swap/v1/price?${new URLSearchParams({ ...VALID, ...changes })}`);

test("there are 15, and the tests that docs/api.md names for them exist", () => {
  expect(COMPLAINTS).toHaveLength(15);
  for (const { file, test: title } of COMPLAINTS) {
    const text = readFileSync(new URL(`../../../${file}`, import.meta.url), "utf8");
    expect(text, title).toContain(`"${title}"`);
  }
});

test("no route is not an outage", async () => {
  const reasons = [{ field: "Uniswap_V2", reason: "SOURCE_CANNOT_SERVE", description: "No pool." }] as const;
  const answers = [
    refuse("INSUFFICIENT_ASSET_LIQUIDITY", "no route", { violations: reasons }),
    refuse("UNAVAILABLE", "no fresh state"),
  ];
  const seen = [];
  for (const error of answers) {
    door.quoting.before = async () => {
      throw error;
    };
    const { status, headers, body } = await price({});
    seen.push([status, body.code, body.validationErrors?.[0].field, headers.get("retry-after")]);
  }
  door.quoting.before = async () => {};
  expect(seen).toEqual([
    [400, 100, "Uniswap_V2", null],
    [503, 108, undefined, "1"],
  ]);
});

test("slippage is a fraction, and 0 is not unset", async () => {
  expect((await price({ slippagePercentage: "0" })).status).toBe(200);
  expect(door.quoting.asked.at(-1)?.request.slippage).toBe(0n);
  expect((await price({})).status).toBe(200);
  expect(door.quoting.asked.at(-1)?.request.slippage).toBe(10n ** 16n);
  const { status, body } = await price({ slippagePercentage: "3" });
  expect([status, body.validationErrors[0].description]).toEqual([400, expect.stringContaining("1 % is 0.01")]);
});

test("symbols and extreme amounts are told for what they are", async () => {
  const { body } = await price({ sellToken: "FOO", buyToken: "BAR" });
  expect(body.validationErrors.map((item: { field: string; reason: string }) => [item.field, item.reason])).toEqual([
    ["sellToken", "INVALID_ADDRESS"],
    ["buyToken", "INVALID_ADDRESS"],
  ]);
  for (const sellAmount of ["1", "0", String(2n ** 256n - 1n), String(2n ** 256n), "9".repeat(4_000), "0.1", "-1"]) {
    expect((await price({ sellAmount })).status, sellAmount).toBeLessThan(500);
  }
});
