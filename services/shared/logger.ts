import { pino, type Logger } from 'pino';

export type { Logger };

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** One JSON line an event on standard output. Secrets are never passed to it; these paths are a second guard. */
export function createLogger(service: string, level: LogLevel): Logger {
  return pino({
    level,
    base: { service, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: ['secret', '*.secret', 'authorization', '*.authorization', 'headers["x-api-key"]'],
  });
}
