import { namesChain } from "../../compose/chain-setup.ts";
import { compose, type Service } from "../../compose/serve.ts";
import { NATIVE_TOKEN } from "../../domain/address.ts";
import { createLogger } from "../../ops/logger.ts";
import { EXIT, type ExitCode, type Invocation } from "../command.ts";
import { configurationOf } from "../connection/configuration.ts";

export async function serve(given: Invocation): Promise<ExitCode> {
  const config = configurationOf(given);
  const logger = createLogger(config.LOG_LEVEL);
  const asked = new Promise<string>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, resolve);
  });
  process.on("unhandledRejection", (reason) => logger.error({ err: reason }, "a rejection that nobody handled"));

  const service = await Promise.race([compose(config, logger), asked]);
  if (typeof service === "string") {
    // The process ends, and all that was started with it; nobody has used it yet.
    logger.info({ signal: service }, "stopping before the start is done");
    return EXIT.ok;
  }
  const isKnownKey = config.TRIBUTARY_API_KEY !== undefined && namesChain(config);
  const keyName = config.DATABASE_URL === undefined ? "API key" : "API key of this replica alone";
  void service.ready.then(() => given.print(greeting(service, isKnownKey ? undefined : keyName)));
  logger.info({ signal: await asked }, "stopping");
  await service.stop();
  return EXIT.ok;
}

/**
 * Start-up message: the service's URL, its key, the console with it, and a first request that works as printed. Process
 * managers keep the output, so a key that the operator of a chain set is left out: there is no `keyName` then.
 */
function greeting({ url, apiKey, chain, tokens }: Service, keyName: string | undefined): string {
  const isNative = (address: string) => [NATIVE_TOKEN, chain.wrappedNative].some((native) => native === address);
  const buyToken = tokens()
    .map(({ address }) => address.toLowerCase())
    .find((address) => !isNative(address));
  const query = `sellToken=${NATIVE_TOKEN}&buyToken=${buyToken}&sellAmount=1000000000000000000`;
  // A chain whose pools hold nothing of value has no token to buy; its sources can be asked for all the same.
  const request = buyToken === undefined ? "sources" : `price?${query}`;
  const serves = `Tributary serves ${chain.name} (chain ${chain.chainId}) on ${url}`;
  if (keyName === undefined) {
    const curl = `curl -s -H "api-key: $TRIBUTARY_API_KEY" '${url}/swap/v1/${request}'`;
    return [serves, "API key: what TRIBUTARY_API_KEY says", `Console: ${url}/`, curl].join("\n");
  }
  return [
    serves,
    `${keyName}: ${apiKey}`,
    `Console: ${url}/#key=${encodeURIComponent(apiKey)}`,
    `curl -s -H 'api-key: ${apiKey}' '${url}/swap/v1/${request}'`,
  ].join("\n");
}
