import { randomBytes } from "node:crypto";
import { devnetAccounts } from "../../devnet/accounts.ts";
import { devnetLayout } from "../../devnet/devnet-layout.ts";
import { makersFileOf } from "../../devnet/maker/records.ts";
import { startReferenceMaker } from "../../devnet/maker/reference-maker.ts";
import { createLogger } from "../../ops/logger.ts";
import { settlementContracts } from "../../settlement/contracts.ts";
import { type Command, EXIT, UsageError } from "../command.ts";

const DEFAULT_RPC_URL = "http://127.0.0.1:8545";
const DEFAULT_PORT = "8547";

export const maker: Command = {
  name: "maker",
  about: "Runs the reference market maker beside a devnet, and prints the MAKERS_FILE that leads to it.",
  takes: "",
  options: {
    "rpc-url": { value: "url", about: `the devnet's node; ${DEFAULT_RPC_URL} without it` },
    port: { value: "port", about: `where it listens on 127.0.0.1; ${DEFAULT_PORT} without it` },
  },
  example: "maker > makers.json",
  async run(given) {
    const portText = given.text("port") ?? DEFAULT_PORT;
    const port = Number(portText);
    if (!/^\d{1,5}$/.test(portText) || port > 65_535) throw new UsageError("--port: a number from 0 to 65535");
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
      // What fetch throws says nothing but that it failed.
      if (error instanceof TypeError) throw new UsageError(`--rpc-url: no devnet answers at ${rpcUrl}`);
      throw error;
    });
    given.print(makersFileOf(reference, settlement));
    await asked;
    await reference.stop();
    return EXIT.ok;
  },
};
