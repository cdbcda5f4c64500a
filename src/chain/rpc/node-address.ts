import querystring from "node:querystring";

/** URL of a node, and headers to send with each request. */
export interface NodeAddress {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A node's URL as `fetch` takes it, which wants no user and password inside: these go along as a header. */
export function nodeAddress(text: string): NodeAddress {
  const url = new URL(text);
  const { username, password } = url;
  if (username === "" && password === "") return { url: text, headers: {} };
  url.username = "";
  url.password = "";
  const credentials = `${querystring.unescape(username)}:${querystring.unescape(password)}`;
  return { url: url.href, headers: { authorization: `Basic ${Buffer.from(credentials).toString("base64")}` } };
}
