import { status as codes, type Server } from '@grpc/grpc-js';
import {
  HealthCheckResponse_ServingStatus as ServingStatus,
  HealthService,
  type HealthServer,
} from '#proto/grpc/health/v1/health.ts';

type Watcher = (part: string, status: ServingStatus) => void;

/** The name of the process as a whole, beside those of its parts. */
const WHOLE = '';

/**
 * gRPC's health service: whether this process, and each of its parts, can serve. The package grpc-health-check does the same, but
 * parses its protobuf file at every start, which takes a tenth of the processor time of the start of a service.
 */
export class Health {
  readonly #statuses = new Map<string, ServingStatus>([[WHOLE, ServingStatus.NOT_SERVING]]);
  readonly #watchers = new Set<Watcher>();

  setStatus(isServing: boolean, part = WHOLE): void {
    const status = isServing ? ServingStatus.SERVING : ServingStatus.NOT_SERVING;
    this.#statuses.set(part, status);
    for (const watcher of this.#watchers) watcher(part, status);
  }

  addTo(server: Server): void {
    const handlers: HealthServer = {
      check: ({ request }, callback) => {
        const status = this.#statuses.get(request.service);
        if (status !== undefined) callback(null, { status });
        else callback({ code: codes.NOT_FOUND, details: `there is no part ${request.service}` });
      },
      list: (_call, callback) => {
        const statuses = [...this.#statuses].map(([part, status]) => [part, { status }] as const);
        callback(null, { statuses: Object.fromEntries(statuses) });
      },
      watch: (call) => {
        const { service } = call.request;
        const watcher: Watcher = (part, status) => part === service && call.write({ status });
        this.#watchers.add(watcher);
        call.on('cancelled', () => this.#watchers.delete(watcher));
        watcher(service, this.#statuses.get(service) ?? ServingStatus.SERVICE_UNKNOWN);
      },
    };
    server.addService(HealthService, handlers);
  }
}
