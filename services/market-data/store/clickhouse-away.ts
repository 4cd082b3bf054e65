import { ClickHouseError } from '@clickhouse/client';
import { ServiceError } from '#shared/service-error.ts';

/** Answers of a server that is there but cannot serve: not set up yet, starting, overloaded. */
const UNREADY = new Set([
  'UNKNOWN_DATABASE',
  'UNKNOWN_TABLE',
  'MEMORY_LIMIT_EXCEEDED',
  'TOO_MANY_SIMULTANEOUS_QUERIES',
  'TIMEOUT_EXCEEDED',
]);

/** Runs calls to ClickHouse so that one that is away reads as data_unavailable, which callers may try again. */
export async function orUnavailable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw isAway(error)
      ? new ServiceError('data_unavailable', 'The store of market data does not answer. Try again.', {
          cause: error,
        })
      : error;
  }
}

function isAway(error: unknown): boolean {
  if (error instanceof ClickHouseError) return UNREADY.has(error.type ?? '');
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  return (
    /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH|ENETUNREACH)/.test(code ?? '') ||
    error.message === 'Timeout error.'
  );
}
