import { Gauge } from 'prom-client';
import type { Logger } from '../operations/logger.ts';
import { packageVersion } from './package-version.ts';
import { repeat } from './repeat.ts';
import { exposition, measureProcess, metricsOf } from '../operations/metrics.ts';
import { OperationsServer, type OperationsConfig } from './operations-server.ts';
import { Readiness } from './readiness.ts';

/** Pause between two measurements of periodic gauges. Prometheus scrapes about as often. */
const MEASURE_PAUSE_MS = 5_000;

/** The operations side of a service: readiness, metrics and their server. `runServices` starts and stops it. */
export class Operations {
  readonly readiness = new Readiness();
  readonly #service: string;
  readonly #config: OperationsConfig;
  readonly #log: Logger;
  #server: OperationsServer | undefined;

  constructor(service: string, config: OperationsConfig, log: Logger) {
    this.#service = service;
    this.#config = config;
    this.#log = log;
  }

  /** Answers from now on, before the process can serve. Without `OPS_PORT` there is no server and nothing is measured. */
  async start(): Promise<void> {
    const { OPS_PORT, OPS_HOST } = this.#config;
    if (OPS_PORT === undefined) return;
    measureProcess();
    new Gauge({
      name: 'saring_process_info',
      help: 'One per service, with its version.',
      labelNames: ['service', 'version'],
      registers: [metricsOf(this.#service)],
    }).set({ service: this.#service, version: packageVersion() }, 1);
    const metrics = () => exposition(this.#service);
    this.#server = new OperationsServer({
      config: { OPS_HOST, OPS_PORT },
      readiness: this.readiness,
      metrics,
    });
    const port = await this.#server.listen();
    this.#log.info({ port }, 'operations port listening');
  }

  /**
   * Fills gauges periodically. While measuring fails they are empty, because an old value would look current. Returns a
   * function that stops it.
   */
  measure(what: string, gauges: Gauge[], measure: () => Promise<void>): () => Promise<void> {
    if (this.#config.OPS_PORT === undefined) return async () => {};
    const round = async () => {
      try {
        await measure();
      } catch (error) {
        for (const gauge of gauges) gauge.reset();
        throw error;
      }
    };
    return repeat(`measuring ${what}`, MEASURE_PAUSE_MS, round, this.#log);
  }

  /** Stops last, so that the rest of the stop can be observed. */
  stop(): void {
    this.#server?.stop();
  }
}
