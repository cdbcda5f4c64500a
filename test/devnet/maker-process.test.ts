import { expect, it } from "vitest";
import { MakerProcess } from "../../src/devnet/maker/own-process.ts";
import { toAddress } from "../../src/domain/address.ts";
import { createLogger } from "../../src/ops/logger.ts";

const options = {
  rpcUrl: "http://127.0.0.1:9",
  settlement: toAddress(`0x${"1".repeat(40)}`),
  authorization: "Bearer x",
};

it("a reference maker's process says why it cannot open, and ends when told to, or with whoever started it", async () => {
  const errors: string[] = [];
  const logger = createLogger("silent");
  logger.error = (...line: unknown[]) => void errors.push(String(line.at(-1)));
  const own = new MakerProcess(logger);
  await expect(own.open(options)).rejects.toThrow(/fetch failed|ECONNREFUSED/);
  await own.stop();
  await expect(new MakerProcess(logger).stop()).resolves.toBeUndefined();
  expect(errors).toEqual([]);
});

it("a process that cannot be made is told of when it is opened, and ends nothing else", async () => {
  const { execPath } = process;
  process.execPath = "/nonexistent";
  const own = new MakerProcess(createLogger("silent"));
  process.execPath = execPath;
  await new Promise((resolve) => setTimeout(resolve, 50));
  await expect(own.open(options)).rejects.toThrow("the reference maker's process has ended");
  await own.stop();
});
