import { jsonPage, type Page } from "../docs/page.ts";

/** Whether the service can answer, and if not why; `detail`: what it answers without, while it can. */
export interface ReadyState {
  readonly ready: boolean;
  readonly reason?: string;
  readonly detail?: string | undefined;
}

/** State of the service now. */
export type Readiness = () => ReadyState;

/** Pages that tell an operator whether the service lives, and whether it can answer. */
export function probePages(
  readiness: Readiness,
  isLive: () => boolean = () => true,
): Readonly<Record<"/livez" | "/readyz", () => Page>> {
  return {
    "/livez": () => {
      const live = isLive();
      return jsonPage(live ? 200 : 503, { live });
    },
    "/readyz": () => {
      const { ready, reason, detail } = readiness();
      const words = { ...(reason !== undefined && { reason }), ...(detail !== undefined && { detail }) };
      return jsonPage(ready ? 200 : 503, { ready, ...words });
    },
  };
}
