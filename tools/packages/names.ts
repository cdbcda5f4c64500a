/**
 * Under which names the packages are published: the one place to change them. `tributary` alone belongs to somebody else on npm;
 * the scope has to be made there by the owner before the first release.
 */
const SCOPE = "@tributary";

export const PACKAGES = {
  /** The program: service, devnet and command line. */
  service: `${SCOPE}/service`,
  client: `${SCOPE}/client`,
  proto: `${SCOPE}/proto`,
} as const;
