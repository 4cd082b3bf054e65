import { pino, type Logger } from 'pino';

export type { Logger };

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** What waits for a reader of standard output. Lines beyond are dropped and counted. */
const PENDING_CEILING_BYTES = 1024 * 1024;

/**
 * One JSON line an event on standard output, written beside the event loop: a reader that is slow or stuck costs lines,
 * never a request. What waits is written out before the process ends, and with a fatal line at once. Secrets are never
 * passed to it; the paths below are a second guard.
 */
export function createLogger(service: string, level: LogLevel): Logger {
  const output = pino.destination({ dest: 1, sync: false, maxLength: PENDING_CEILING_BYTES });
  const log = pino(
    {
      level,
      base: { service, pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: ['secret', '*.secret', 'authorization', '*.authorization', 'headers["x-api-key"]'],
    },
    output,
  );
  let droppedLines = 0;
  output.on('drop', () => droppedLines++);
  output.on('drain', () => {
    if (droppedLines === 0) return;
    log.warn({ lines: droppedLines }, 'log lines dropped');
    droppedLines = 0;
  });
  // A file that takes nothing, as on a full disk: what waits is tried again with the next line.
  output.on('error', () => {});
  return log;
}
