import { pino, type Logger } from 'pino';

export type { Logger };

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** How much log output may wait for a slow reader. Further lines are dropped and counted. */
const PENDING_CEILING_BYTES = 1024 * 1024;

/**
 * Writes one JSON line for each event to standard output, asynchronously: a slow or stuck reader costs log lines, never a
 * request. Pending lines are flushed before the process ends, and immediately with a fatal line. Callers never log secrets; the
 * paths below are a second safeguard.
 */
export function createLogger(service: string, level: LogLevel): Logger {
  return pino(
    {
      level,
      base: { service, pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: ['secret', '*.secret', 'authorization', '*.authorization', 'headers["x-api-key"]'],
    },
    (output ??= standardOutput()),
  );
}

/** One for all loggers of a process, so that their lines do not mix. */
let output: ReturnType<typeof pino.destination> | undefined;

function standardOutput(): ReturnType<typeof pino.destination> {
  const opened = pino.destination({ dest: 1, sync: false, maxLength: PENDING_CEILING_BYTES });
  let droppedLines = 0;
  opened.on('drop', () => droppedLines++);
  opened.on('drain', () => {
    if (droppedLines === 0) return;
    createLogger('output', 'warn').warn({ lines: droppedLines }, 'log lines dropped');
    droppedLines = 0;
  });
  // When the output cannot be written, as on a full disk, pending lines are tried again with the next line.
  opened.on('error', () => {});
  return opened;
}
