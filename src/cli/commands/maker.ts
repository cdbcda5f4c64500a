import { randomBytes } from "node:crypto";
import { makersFileOf } from "../../devnet/maker/records.ts";
import { startReferenceMaker } from "../../devnet/maker/reference-maker.ts";
import { devnetLayout } from "../../devnet/markets/devnet-layout.ts";
import { devnetAccounts } from "../../devnet/node/accounts.ts";
import { createLogger } from "../../ops/logger.ts";
import { settlementContracts } from "../../settlement/contracts.ts";
import { EXIT, type ExitCode, type Invocation, UsageError } from "../command.ts";
import { DEFAULT_MAKER_PORT, DEFAULT_RPC_URL } from "../command-options.ts";

export async function maker(given: Invocation): Promise<ExitCode> {
  const portText = given.text("port") ?? DEFAULT_MAKER_PORT;
  const port = Number(portText);
  if (!/^\d{1,5}$/.test(portText) || port > 65_535)
    throw new UsageError(`--port: ${portText} is not a port: give a number from 0 to 65535`);
  const asked = new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
  const settlement = settlementContracts(devnetLayout(devnetAccounts().whale).contracts.weth).orders.address;
  const rpcUrl = given.text("rpc-url") ?? DEFAULT_RPC_URL;
  const reference = await startReferenceMaker({
    rpcUrl,
    settlement,
    port,
    authorization: `Bearer ${randomBytes(24).toString("base64url")}`,
    logger: createLogger("info"),
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "EADDRINUSE") throw new UsageError(`--port: ${port} is taken by another program`);
    // No connection, no such host, or no URL.
    const isUnreachable = ["connect", "getaddrinfo"].includes(error.syscall ?? "") || error instanceof TypeError;
    if (isUnreachable) throw new UsageError(`--rpc-url: no devnet answers at ${rpcUrl}`);
    throw error;
  });
  given.print(makersFileOf(reference, settlement));
  await asked;
  await reference.stop();
  return EXIT.ok;
}
