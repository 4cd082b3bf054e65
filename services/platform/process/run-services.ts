import { environmentOf, loadConfig, type Config, type Settings } from '../configuration/config.ts';
import { createLogger, type Logger } from '../operations/logger.ts';
import { Operations } from './operations.ts';
import { cannotStartText } from './cannot-start.ts';
import { freeStartMemory } from './free-start-memory.ts';
import { startTracing } from '../operations/tracing.ts';
import type { ProcessConfig, Service } from './service.ts';

/** Exit code of a process whose settings are missing or wrong: a restart would not help. */
export const WRONG_SETTINGS = 78;

/** By then a fleet that was started as a whole is ready, and nobody waits for its processors. */
const SETTLED_AFTER_MS = 5_000;

type HostedConfig = Config<Settings> & ProcessConfig;

/** A service with its configuration, on its way from start to stop. */
class HostedService {
  readonly name: string;
  readonly log: Logger;
  readonly stopWithinMs: number;
  readonly #service: Service;
  readonly #config: HostedConfig;
  readonly #operations: Operations;
  readonly #steps: { part: string; stop: () => unknown }[] = [];

  constructor(service: Service, config: HostedConfig) {
    this.#service = service;
    this.#config = config;
    this.name = service.name;
    this.log = createLogger(service.name, config.LOG_LEVEL);
    this.stopWithinMs = config.STOP_WITHIN_SECONDS * 1_000;
    this.#operations = new Operations(service.name, config, this.log);
  }

  async start(): Promise<void> {
    const operations = this.#operations;
    const defer = (part: string, stop: () => unknown) => void this.#steps.push({ part, stop });
    defer('operations', () => operations.stop());
    await operations.start();
    const collector = this.#config.OTEL_EXPORTER_OTLP_ENDPOINT;
    if (collector !== '') defer('tracing', await startTracing(this.name, collector));
    await this.#service.start({ config: this.#config, log: this.log, operations, defer });
    operations.readiness.started();
    defer('readiness', () => operations.readiness.stops());
    this.log.info('ready');
  }

  /** Stops the parts that have started, last first. */
  async stop(): Promise<void> {
    for (const { part, stop } of this.#steps.toReversed()) {
      try {
        await stop();
      } catch (error) {
        this.log.warn({ err: error }, `${part} did not stop cleanly`);
      }
    }
  }
}

/** Ends the process in order, once: on a signal, when its supervisor is gone, after a crash, or when a service cannot start. */
class ProcessEnd {
  readonly #services: HostedService[];
  readonly #log: Logger;
  #stopping: Promise<void> | undefined;

  constructor(services: HostedService[]) {
    this.#services = services;
    this.#log = services.length === 1 ? services[0]!.log : createLogger('host', 'info');
  }

  listen(): void {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void this.exit(signal, 0));
    process.on('disconnect', () => void this.exit('the supervisor is gone', 0));
    for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
      process.on(event, (error: unknown) => {
        this.#log.fatal({ err: error }, 'crashed');
        void this.exit('crash', 1);
      });
    }
  }

  async exit(reason: string, exitCode: number): Promise<void> {
    this.#log.info({ reason }, 'stopping');
    const withinMs = Math.max(...this.#services.map(({ stopWithinMs }) => stopWithinMs));
    const overdue = setTimeout(() => {
      this.#log.error('not stopped in time; ending anyway');
      process.exit(1);
    }, withinMs);
    await (this.#stopping ??= this.#stopAll());
    clearTimeout(overdue);
    process.exit(exitCode);
  }

  /** In reverse order, so that a service stops before those that it calls. */
  async #stopAll(): Promise<void> {
    for (const service of this.#services.toReversed()) await service.stop();
  }
}

/**
 * Runs services in this process until it is told to stop. Each has its own settings, log name, addresses, readiness and metrics,
 * and calls the others over gRPC, so it behaves as if it ran alone; only a crash ends all of them. Every failure to start ends in
 * one sentence on standard error and exit code 1 (78 for a configuration mistake). A later crash ends the process, so that its
 * supervisor restarts it from a known state.
 *
 * @param services in the order in which they stop last; each after those that it calls
 */
export async function runServices(...services: Service[]): Promise<void> {
  const hosted = configure(services);
  const end = new ProcessEnd(hosted);
  end.listen();
  await Promise.all(
    hosted.map(async (service) => {
      try {
        await service.start();
      } catch (error) {
        service.log.debug({ err: error }, 'start failed');
        console.error(cannotStartText(service.name, error));
        await end.exit('start failed', 1);
      }
    }),
  );
  setTimeout(() => void freeStartMemory(), SETTLED_AFTER_MS).unref();
}

/** Reports the mistakes in the settings of all services before it ends the process. */
function configure(services: Service[]): HostedService[] {
  let hasMistakes = false;
  const hosted = services.flatMap((service) => {
    try {
      const config = loadConfig(service.settings, environmentOf(service.name));
      return [new HostedService(service, config as HostedConfig)];
    } catch (error) {
      console.error(cannotStartText(service.name, error));
      hasMistakes = true;
      return [];
    }
  });
  if (hasMistakes) process.exit(WRONG_SETTINGS);
  return hosted;
}
