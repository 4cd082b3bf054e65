import type { Config, Settings } from '../configuration/config.ts';
import type { Logger, LogLevel } from '../operations/logger.ts';
import type { Operations } from './operations.ts';
import type { OperationsConfig } from './operations-server.ts';

/** The settings that every service has; see `processSettings`. */
export type ProcessConfig = OperationsConfig & {
  LOG_LEVEL: LogLevel;
  OTEL_EXPORTER_OTLP_ENDPOINT: string;
  STOP_WITHIN_SECONDS: number;
};

/** What a service gets to start with. */
export interface ServiceStart<S extends Settings> {
  config: Config<S>;
  log: Logger;
  operations: Operations;
  /** Registers how to stop a part. Parts stop in the reverse order of their registration. */
  defer: (part: string, stop: () => unknown) => void;
}

/** A service: its settings, and how it starts. `runServices` runs it, alone or with others. */
export interface Service {
  name: string;
  settings: Settings;
  /** Resolves when the service can serve. */
  start(service: ServiceStart<Settings>): Promise<void>;
}

/** Declares a service: its name in logs, metrics and settings, what it is configured by, and how it starts. */
export function defineService<S extends Settings & Record<keyof ProcessConfig, unknown>>(
  name: string,
  settings: S,
  start: (service: ServiceStart<S>) => Promise<void>,
): Service {
  return { name, settings, start };
}
