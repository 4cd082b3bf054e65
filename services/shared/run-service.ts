import { loadConfig, type Config, type Settings } from './config.ts';
import { createLogger, type Logger, type LogLevel } from './logger.ts';
import { Shutdown } from './shutdown.ts';

export interface ServiceStart<S extends Settings> {
  config: Config<S>;
  log: Logger;
  /** Registers how to stop a part; parts stop in the reverse order of their registration. */
  defer: (name: string, stop: () => unknown) => void;
}

/**
 * Runs a service's `start` with its configuration. Every way in which starting can fail ends in one sentence on
 * standard error and exit code 1 (78 for a configuration mistake); a crash later ends the process, so that its
 * supervisor starts it anew from a known state.
 */
export async function runService<S extends Settings & { LOG_LEVEL: unknown }>(
  name: string,
  settings: S,
  start: (service: ServiceStart<S>) => Promise<void>,
): Promise<void> {
  const config = readConfig(name, settings);
  const log = createLogger(name, (config as unknown as { LOG_LEVEL: LogLevel }).LOG_LEVEL);
  const shutdown = new Shutdown(log);
  shutdown.listen();
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      log.fatal({ err: error }, 'crashed');
      void shutdown.exit('crash', 1);
    });
  }
  try {
    await start({ config, log, defer: (part, stop) => shutdown.defer(part, stop) });
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
