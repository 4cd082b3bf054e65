import { pino, type Logger } from 'pino';
import sonicBoom from 'sonic-boom';
import { inSources } from './source-lines.ts';

export type { Logger };

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** How much log output may wait for a slow reader. Further lines are dropped and counted. */
const PENDING_CEILING_BYTES = 1024 * 1024;

/**
 * Writes one JSON line for each event to standard output, asynchronously: a slow or stuck reader costs log lines, never a
 * request, and a reader that is gone keeps no process from ending. Pending lines are flushed before the process ends, and immediately with a
 * fatal line. Callers never log secrets; the paths below are a second safeguard.
 */
export function createLogger(service: string, level: LogLevel): Logger {
  return pino(
    {
      level,
      base: { service, pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describedError },
      redact: ['secret', '*.secret', 'authorization', '*.authorization', 'headers["x-api-key"]'],
    },
    (output ??= standardOutput()),
  );
}

/** @param error anything: a promise can be rejected with null */
function describedError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const described = pino.stdSerializers.err(error);
  return { ...described, stack: inSources(described.stack) };
}

/** One for all loggers of a process, so that their lines do not mix. */
let output: ReturnType<typeof standardOutput> | undefined;

/** Not `pino.destination`: its flush tries for ever to write what nobody reads, for example when the supervisor was killed. */
function standardOutput(): InstanceType<typeof sonicBoom.default> {
  const opened = new sonicBoom.default({ dest: 1, sync: false, maxLength: PENDING_CEILING_BYTES });
  const flush = opened.flushSync.bind(opened);
  opened.flushSync = () => {
    try {
      flush();
    } catch {
      // The reader is gone: nobody can be told.
    }
  };
  let droppedLines = 0;
  opened.on('drop', () => droppedLines++);
  opened.on('drain', () => {
    if (droppedLines === 0) return;
    createLogger('output', 'warn').warn({ lines: droppedLines }, 'log lines dropped');
    droppedLines = 0;
  });
  // When the output cannot be written, as on a full disk, pending lines are tried again with the next line.
  opened.on('error', () => {});
  process.on('exit', () => opened.flushSync());
  return opened;
}
