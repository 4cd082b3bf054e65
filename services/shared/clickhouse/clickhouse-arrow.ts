import { RecordBatchReader, type RecordBatch } from 'apache-arrow';
import type { ClickHouseClient } from './clickhouse.ts';

/**
 * Streams a SELECT as Arrow record batches: columns arrive as typed arrays, without an object for each row. The connection is
 * released when the iteration ends, also when the caller leaves it early. The signal cancels the query and makes the iteration
 * throw.
 */
export async function* readArrow(
  client: ClickHouseClient,
  query: string,
  params: Record<string, unknown>,
  signal?: AbortSignal,
): AsyncGenerator<RecordBatch> {
  // The client observes the signal only between sending the query and the start of the response.
  signal?.throwIfAborted();
  const { stream } = await client.exec({
    query: `${query} FORMAT ArrowStream`,
    query_params: params,
    ...(signal && { abort_signal: signal }),
    clickhouse_settings: {
      output_format_arrow_compression_method: 'none',
      output_format_arrow_string_as_string: 1,
      output_format_arrow_low_cardinality_as_dictionary: 1,
    },
  });
  const cancel = () => stream.destroy(signal?.reason as Error);
  let isWhole = false;
  try {
    signal?.throwIfAborted();
    signal?.addEventListener('abort', cancel);
    yield* await RecordBatchReader.from(stream);
    // The reader takes a stream that is cut off between two batches for a complete one.
    if (stream.errored) throw stream.errored;
    isWhole = true;
  } catch (error) {
    // For a stream cut off within a batch the reader reports missing bytes and not the lost connection.
    throw stream.errored ?? error;
  } finally {
    signal?.removeEventListener('abort', cancel);
    // Reading the few bytes after the last batch keeps the connection for the next query.
    if (isWhole) stream.resume();
    else stream.destroy();
  }
}
