import { Counter, Gauge } from 'prom-client';
import { DurationHistogram, type DurationSeries } from '../operations/duration-histogram.ts';

const durations = new DurationHistogram({
  name: 'saring_grpc_request_duration_seconds',
  help: 'How long calls with one answer took, whatever the answer.',
  labelNames: ['method'],
});
const failures = new Counter({
  name: 'saring_grpc_errors_total',
  help: 'Calls that failed, by the code of the error.',
  labelNames: ['method', 'code'],
});
const streams = new Counter({
  name: 'saring_grpc_streams_total',
  help: 'Calls answered by a stream, counted when they end.',
  labelNames: ['method'],
});
const openStreams = new Gauge({
  name: 'saring_grpc_open_streams',
  help: 'Calls answered by a stream that is open.',
  labelNames: ['method'],
});

/** The metrics of one method. */
export class CallMetrics {
  readonly #method: string;
  readonly #durations: DurationSeries;

  /** @param path of the method, for example `/saring.keys.v1.KeysService/Authenticate` */
  constructor(path: string) {
    this.#method = path.slice(1);
    this.#durations = durations.of(this.#method);
  }

  answered(beganMs: number): void {
    this.#durations.observe((performance.now() - beganMs) / 1_000);
  }

  failed(code: string): void {
    failures.inc({ method: this.#method, code });
  }

  streamOpened(): void {
    openStreams.inc({ method: this.#method });
  }

  streamEnded(): void {
    openStreams.dec({ method: this.#method });
    streams.inc({ method: this.#method });
  }
}
