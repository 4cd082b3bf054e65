import { isClickHouseUnavailable } from '#platform/clickhouse/clickhouse.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';

/** Reports an unavailable ClickHouse as data_unavailable, which callers may retry. */
export async function orUnavailable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw isClickHouseUnavailable(error)
      ? new ServiceError('data_unavailable', 'The store of market data does not answer. Try again.', {
          cause: error,
        })
      : error;
  }
}
