/**
 * The path and query of a request's target. One in absolute form (`GET http://host/path`) names an authority as well, which
 * a server has to accept (RFC 9112, section 3.2.2) and which says nothing to a service that is there under any name.
 */
export function originForm(target: string): string {
  const [, rest] = /^https?:\/\/[^/?#]*(.*)$/is.exec(target) ?? [];
  if (rest === undefined) return target;
  return rest.startsWith("/") ? rest : `/${rest}`;
}
