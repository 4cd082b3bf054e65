import { RecordBatchReader, type RecordBatch } from 'apache-arrow';
import type { ClickHouseClient } from './clickhouse.ts';

/**
 * Streams a SELECT as Arrow record batches: columns arrive as typed arrays, without a row ever being an object.
 * The connection is given back when the iteration ends, also when it is left early.
 */
export async function* readArrow(
  client: ClickHouseClient,
  query: string,
  params: Record<string, unknown>,
): AsyncGenerator<RecordBatch> {
  const { stream } = await client.exec({
    query: `${query} FORMAT ArrowStream`,
    query_params: params,
    clickhouse_settings: {
      output_format_arrow_compression_method: 'none',
      output_format_arrow_string_as_string: 1,
      output_format_arrow_low_cardinality_as_dictionary: 1,
    },
  });
  let isWhole = false;
  try {
    yield* await RecordBatchReader.from(stream);
    isWhole = true;
  } finally {
    // Reading what follows the last batch, a few bytes, keeps the connection for the next query.
    if (isWhole) stream.resume();
    else stream.destroy();
  }
}
