import { Code, ConnectError, type ConnectRouter } from "@connectrpc/connect";
import { Health, HealthCheckResponse_ServingStatus as Status } from "#gen/grpc/health/v1/health_pb.ts";
import { shown } from "../rest/shorten.ts";

/** The state behind grpc.health.v1: one status for the whole server ("") and for each named service. */
export interface HealthState {
  set(serving: boolean): void;
  /** NOT_SERVING for good; whoever watches is told, and the watch ends UNAVAILABLE. */
  shutDown(): void;
  register(router: ConnectRouter): void;
}

type ServingStatus = (typeof Status)[keyof typeof Status];

export function createHealthState(services: readonly string[]): HealthState {
  const known = new Set(["", ...services]);
  const wakers = new Set<() => void>();
  let current: ServingStatus = Status.NOT_SERVING;
  let over = false;
  const statusOf = (service: string) => (known.has(service) ? current : undefined);
  const wakeAll = () => {
    for (const wake of wakers) wake();
  };

  return {
    set(serving) {
      const next = serving && !over ? Status.SERVING : Status.NOT_SERVING;
      if (next === current) return;
      current = next;
      wakeAll();
    },
    shutDown() {
      over = true;
      current = Status.NOT_SERVING;
      wakeAll();
    },
    register(router) {
      router.service(Health, {
        check(request) {
          const status = statusOf(request.service);
          if (status === undefined)
            throw new ConnectError(
              `${shown(request.service)} is not a service - name one of ${[...known].join(", ")}`,
              Code.NotFound,
            );
          return { status };
        },
        list: () => ({ statuses: Object.fromEntries([...known].map((name) => [name, { status: current }])) }),
        async *watch(request, context) {
          let last: ServingStatus | undefined;
          while (!context.signal.aborted) {
            const { promise, resolve } = Promise.withResolvers<void>();
            const wake = () => resolve();
            wakers.add(wake);
            context.signal.addEventListener("abort", wake, { once: true });
            try {
              const status = statusOf(request.service) ?? Status.SERVICE_UNKNOWN;
              if (status !== last) yield { status };
              last = status;
              if (over) throw new ConnectError("the service is shutting down", Code.Unavailable);
              if ((statusOf(request.service) ?? Status.SERVICE_UNKNOWN) === last) await promise;
            } finally {
              wakers.delete(wake);
              context.signal.removeEventListener("abort", wake);
            }
          }
        },
      });
    },
  };
}
