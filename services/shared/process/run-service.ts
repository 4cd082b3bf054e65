import { loadConfig, type Config, type Settings } from '../config/config.ts';
import { createLogger, type Logger, type LogLevel } from '../logger.ts';
import { Operations } from '../operations/operations.ts';
import type { OperationsConfig } from '../operations/operations-server.ts';
import { startTracing } from '../operations/tracing.ts';

type Stop = () => unknown;

/** Runs the deferred steps once, last first, when the process is asked to stop. */
class Shutdown {
  readonly #steps: { name: string; stop: Stop }[] = [];
  readonly #log: Logger;
  readonly #withinMs: number;
  #stopping: Promise<void> | undefined;

  /** @param withinMs how long an orderly stop may take before the process exits anyway */
  constructor(log: Logger, withinMs: number) {
    this.#log = log;
    this.#withinMs = withinMs;
  }

  /** Registers how to stop a part that has just been started. */
  defer(name: string, stop: Stop): void {
    this.#steps.push({ name, stop });
  }

  /** Stops on SIGTERM, on SIGINT, and when the supervising parent process has exited. */
  listen(): void {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void this.exit(signal, 0));
    process.on('disconnect', () => void this.exit('the supervisor is gone', 0));
  }

  /** Stops the parts in order, then exits. */
  async exit(reason: string, exitCode: number): Promise<void> {
    this.#log.info({ reason }, 'stopping');
    const overdue = setTimeout(() => {
      this.#log.error('not stopped in time; ending anyway');
      process.exit(1);
    }, this.#withinMs);
    await (this.#stopping ??= this.#stopAll());
    clearTimeout(overdue);
    process.exit(exitCode);
  }

  async #stopAll(): Promise<void> {
    for (const { name, stop } of this.#steps.toReversed()) {
      try {
        await stop();
      } catch (error) {
        this.#log.warn({ err: error }, `${name} did not stop cleanly`);
      }
    }
  }
}

type ProcessConfig = OperationsConfig & {
  LOG_LEVEL: LogLevel;
  OTEL_EXPORTER_OTLP_ENDPOINT: string;
  STOP_WITHIN_SECONDS: number;
};

interface ServiceStart<S extends Settings> {
  config: Config<S>;
  log: Logger;
  operations: Operations;
  /** Registers how to stop a part. Parts stop in the reverse order of their registration. */
  defer: (name: string, stop: () => unknown) => void;
}

/**
 * Runs a service's `start` with its configuration. Every failure to start ends in one sentence on standard error and exit code
 * 1 (78 for a configuration mistake). A later crash ends the process, so that its supervisor restarts it from a known state.
 */
export async function runService<S extends Settings & Record<keyof ProcessConfig, unknown>>(
  name: string,
  settings: S,
  start: (service: ServiceStart<S>) => Promise<void>,
): Promise<void> {
  const config = readConfig(name, settings);
  const processConfig = config as unknown as ProcessConfig;
  const log = createLogger(name, processConfig.LOG_LEVEL);
  const operations = new Operations(name, processConfig, log);
  const shutdown = new Shutdown(log, processConfig.STOP_WITHIN_SECONDS * 1_000);
  shutdown.listen();
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      log.fatal({ err: error }, 'crashed');
      void shutdown.exit('crash', 1);
    });
  }
  shutdown.defer('operations', () => operations.stop());
  try {
    await operations.start();
    const collector = processConfig.OTEL_EXPORTER_OTLP_ENDPOINT;
    if (collector !== '') shutdown.defer('tracing', await startTracing(name, collector));
    await start({ config, log, operations, defer: (part, stop) => shutdown.defer(part, stop) });
    operations.readiness.started();
    shutdown.defer('readiness', () => operations.readiness.stops());
    log.info('ready');
  } catch (error) {
    log.debug({ err: error }, 'start failed');
    console.error(`saring ${name} cannot start: ${error instanceof Error ? error.message : String(error)}`);
    await shutdown.exit('start failed', 1);
  }
}

function readConfig<S extends Settings>(name: string, settings: S): Config<S> {
  try {
    return loadConfig(settings);
  } catch (error) {
    console.error(`saring ${name} cannot start: ${(error as Error).message}`);
    process.exit(78);
  }
}
