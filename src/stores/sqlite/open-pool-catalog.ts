import { messageOf } from "../../domain/message-of.ts";
import { CatalogFault, type PoolCatalog } from "../../market/pool-catalog.ts";
import { VERSIONS } from "./catalog-rows.ts";
import { discard, expectNoDamageNoted, expectSound, isDamage, noteDamage } from "./damage.ts";
import { openDatabase } from "./database.ts";
import { SqlitePoolCatalog } from "./pool-catalog.ts";

/**
 * The catalog in a file, which is thrown away where it is damaged, or was found to be while it was in use: it can be made
 * again from the chain. What was committed survives the end of the process, though not a loss of power in the same moment.
 * @param onLost takes what is wrong with the file; where it throws, the file stays
 * @throws CatalogFault where the file cannot be used otherwise: another process may be busy with it
 */
export function openPoolCatalog(file: string, onLost: (error: unknown) => void = () => {}): PoolCatalog {
  try {
    expectNoDamageNoted(file);
    return opened(file);
  } catch (error) {
    if (!isDamage(error)) throw new CatalogFault(error);
    onLost(error);
  }
  try {
    discard(file);
    return opened(file);
  } catch (error) {
    throw new CatalogFault(error);
  }
}

function opened(file: string): PoolCatalog {
  const database = openDatabase(file, VERSIONS);
  try {
    expectSound(database);
    return new SqlitePoolCatalog(database, () => noteDamage(file));
  } catch (error) {
    database.close();
    throw new Error(`${file}: ${messageOf(error)}`, { cause: error });
  }
}
