import { ConfigError } from "../ops/config.ts";

/** Error codes of `listen` that are due to the host's name or address. */
const FAULTS_OF_HOST: ReadonlySet<string> = new Set([
  "ENOTFOUND",
  "EAI_AGAIN",
  "EADDRNOTAVAIL",
  "EAFNOSUPPORT",
  "EINVAL",
]);

/** Listens, and says in a sentence which of the two options it is that cannot be listened on. */
export async function listen(
  option: { readonly host: string; readonly port: string },
  port: number,
  open: (port: number) => Promise<void>,
): Promise<void> {
  try {
    await open(port);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "EADDRINUSE") {
      throw new ConfigError([
        `${option.port}: port ${port} is taken by another program; set ${option.port} to a free one`,
      ]);
    }
    if (code === "EACCES") throw new ConfigError([`${option.port}: ${message}`]);
    if (FAULTS_OF_HOST.has(code ?? "")) throw new ConfigError([`${option.host}: ${message}`]);
    throw error;
  }
}
