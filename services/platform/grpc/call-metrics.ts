import { Counter, Gauge } from 'prom-client';
import { DurationHistogram, type DurationSeries } from '../operations/duration-histogram.ts';
import { metricsOf } from '../operations/metrics.ts';

type ServiceMetrics = ReturnType<typeof declareMetrics>;

function declareMetrics(service: string) {
  const registry = metricsOf(service);
  return {
    durations: new DurationHistogram({
      name: 'saring_grpc_request_duration_seconds',
      help: 'How long calls with one answer took, whatever the answer.',
      labelNames: ['method'],
      registry,
    }),
    failures: new Counter({
      name: 'saring_grpc_errors_total',
      help: 'Calls that failed, by the code of the error.',
      labelNames: ['method', 'code'],
      registers: [registry],
    }),
    streams: new Counter({
      name: 'saring_grpc_streams_total',
      help: 'Calls answered by a stream, counted when they end.',
      labelNames: ['method'],
      registers: [registry],
    }),
    openStreams: new Gauge({
      name: 'saring_grpc_open_streams',
      help: 'Calls answered by a stream that is open.',
      labelNames: ['method'],
      registers: [registry],
    }),
  };
}

const declared = new Map<string, ServiceMetrics>();

function metricsOnce(service: string): ServiceMetrics {
  let metrics = declared.get(service);
  if (!metrics) declared.set(service, (metrics = declareMetrics(service)));
  return metrics;
}

/** The metrics of one method. */
export class CallMetrics {
  readonly #method: string;
  readonly #metrics: ServiceMetrics;
  readonly #durations: DurationSeries;

  /** @param path of the method, for example `/saring.keys.v1.KeysService/Authenticate` */
  constructor(service: string, path: string) {
    this.#method = path.slice(1);
    this.#metrics = metricsOnce(service);
    this.#durations = this.#metrics.durations.of(this.#method);
  }

  answered(beganMs: number): void {
    this.#durations.observe((performance.now() - beganMs) / 1_000);
  }

  failed(code: string): void {
    this.#metrics.failures.inc({ method: this.#method, code });
  }

  streamOpened(): void {
    this.#metrics.openStreams.inc({ method: this.#method });
  }

  streamEnded(): void {
    this.#metrics.openStreams.dec({ method: this.#method });
    this.#metrics.streams.inc({ method: this.#method });
  }
}
