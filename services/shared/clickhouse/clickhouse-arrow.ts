import { RecordBatchReader, type RecordBatch } from 'apache-arrow';
import type { ClickHouseClient } from './clickhouse.ts';

/**
 * Streams a SELECT as Arrow record batches: columns arrive as typed arrays, without a row ever being an object.
 * The connection is given back when the iteration ends, also when it is left early. The signal ends the query and the
 * iteration, which throws then.
 */
export async function* readArrow(
  client: ClickHouseClient,
  query: string,
  params: Record<string, unknown>,
  signal?: AbortSignal,
): AsyncGenerator<RecordBatch> {
  // The client heeds a signal only from when it has sent the query until the answer begins.
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
    // The reader takes a stream cut off between two batches for one that ended.
    if (stream.errored) throw stream.errored;
    isWhole = true;
  } catch (error) {
    // Of one cut off within a batch it reports missing bytes, which does not say that the connection was lost.
    throw stream.errored ?? error;
  } finally {
    signal?.removeEventListener('abort', cancel);
    // Reading what follows the last batch, a few bytes, keeps the connection for the next query.
    if (isWhole) stream.resume();
    else stream.destroy();
  }
}
