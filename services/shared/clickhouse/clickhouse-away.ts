import { ClickHouseError } from '@clickhouse/client';

/** Answers of a server that is there but cannot serve: not set up yet, starting, overloaded, stopping. */
const UNREADY = new Set([
  'UNKNOWN_DATABASE',
  'UNKNOWN_TABLE',
  'MEMORY_LIMIT_EXCEEDED',
  'TOO_MANY_SIMULTANEOUS_QUERIES',
  'TIMEOUT_EXCEEDED',
  'QUERY_WAS_CANCELLED',
  'ABORTED',
]);

/** Whether ClickHouse did not answer, so that trying again later makes sense. */
export function isClickHouseAway(error: unknown): boolean {
  if (error instanceof ClickHouseError) return UNREADY.has(error.type ?? '');
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  return (
    /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH|ENETUNREACH)/.test(code ?? '') ||
    error.message === 'Timeout error.'
  );
}
