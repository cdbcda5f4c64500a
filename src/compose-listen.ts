import { ConfigError } from "./ops/config.ts";

/** What a host's name or address is at fault for, when it is listened on. */
const FAULTS_OF_HOST = new Set(["ENOTFOUND", "EAI_AGAIN", "EADDRNOTAVAIL", "EAFNOSUPPORT", "EINVAL"]);

/** Listens, and says in a sentence which option it is that cannot be listened on. */
export async function listen(option: string, port: number, open: (port: number) => Promise<void>): Promise<void> {
  try {
    await open(port);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "EADDRINUSE") {
      throw new ConfigError([`${option}: port ${port} is taken by another program; set ${option} to a free one`]);
    }
    if (code === "EACCES") throw new ConfigError([`${option}: ${message}`]);
    if (FAULTS_OF_HOST.has(code ?? "")) throw new ConfigError([`HOST: ${message}`]);
    throw error;
  }
}
