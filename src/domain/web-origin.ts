/**
 * Whether a text is an origin as browsers send it in the header Origin: a scheme and a host in lower case, a port unless it
 * is the scheme's own, and nothing after it; never a pattern. Pages of extensions and apps have schemes of their own.
 */
export function isWebOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, host } = new URL(text);
  return host !== "" && !host.includes("*") && `${protocol}//${host}` === text;
}
