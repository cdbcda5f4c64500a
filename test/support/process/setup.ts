import { vi } from "vitest";
import { keptDestination } from "./test-logs.ts";

const major = Number(process.versions.node.split(".")[0]);
if (major < 24) {
  throw new Error(
    `Tributary's tests need Node 24, this is ${process.version}: run them with \`npm test\`, which brings Node 24 along`,
  );
}

// Every logger of every test, whatever it writes to: at the end of `npm test` nothing secret may be in what they wrote.
vi.mock("pino", async (original) => {
  const real = await original<typeof import("pino")>();
  const pino = (options: Parameters<typeof real.pino>[0], destination: Parameters<typeof keptDestination>[0]) =>
    real.pino(options, keptDestination(destination));
  return { ...real, pino: Object.assign(pino, { destination: real.pino.destination }) };
});
