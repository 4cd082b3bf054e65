import { RecordBatchReader, type RecordBatch } from 'apache-arrow';
import type { ClickHouseClient } from './clickhouse.ts';
import { StreamedAnswer } from './streamed-answer.ts';

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
  const answer = await StreamedAnswer.to(client, {
    query: `${query} FORMAT ArrowStream`,
    query_params: params,
    ...(signal && { abort_signal: signal }),
    clickhouse_settings: {
      output_format_arrow_compression_method: 'none',
      output_format_arrow_string_as_string: 1,
      output_format_arrow_low_cardinality_as_dictionary: 1,
    },
  });
  const { stream } = answer;
  const cancel = () => stream.destroy(signal?.reason as Error);
  let isWhole = false;
  try {
    signal?.throwIfAborted();
    signal?.addEventListener('abort', cancel);
    yield* await RecordBatchReader.from(answer);
    // The reader takes a stream that ends early between two batches for a complete one.
    if (answer.failure) throw answer.failure;
    isWhole = true;
  } catch (error) {
    // For a stream that ends early within a batch the reader reports missing bytes and not why.
    throw answer.failure ?? error;
  } finally {
    signal?.removeEventListener('abort', cancel);
    // Reading the few bytes after the last batch keeps the connection for the next query.
    if (isWhole) stream.resume();
    else stream.destroy();
  }
}
