import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  DatasetServiceService,
  type ImportDatasetRequest,
  type ImportDatasetResponse,
  type ImportHeader,
  type ImportOutcome,
  type ImportProgress,
} from '#proto/saring/market_data/v1/datasets.ts';
import { MarketDataServiceService } from '#proto/saring/market_data/v1/market_data.ts';
import { HANGS_AFTER_MS } from '../hangs.ts';
import { clientOf, OPERATOR_TOKEN } from '../processes/service-process.ts';

const OPTIONS = { timeoutMs: 60_000 };
const USUAL_CHUNK_BYTES = 256 * 1024;

export const operator = { requestId: 'req_test', operatorToken: OPERATOR_TOKEN };
export const anybody = { requestId: 'req_test' };

export function datasetClient(address: string) {
  return clientOf(DatasetServiceService, address, OPTIONS);
}

export function marketDataClient(address: string) {
  return clientOf(MarketDataServiceService, address, OPTIONS);
}

export interface UploadOptions {
  source?: string;
  kind?: string;
  /** Further fields of the header. */
  header?: Partial<ImportHeader>;
  /** Sent instead of the true hash. With null, no hash is sent at the end. */
  sha256?: string | null;
  chunkBytes?: number;
}

/** The header of an upload of a whole dataset. The upload may replace a larger dataset. */
export function headerOf(source: string, kind = 'real'): ImportHeader {
  const brokers = { synthesize_brokers: false, broker_unit: '', broker_mode: '' };
  return { source, kind, adds: false, may_shrink: true, ...brokers };
}

/** The messages of an upload, in order. */
export async function* uploadOf(
  bytes: Buffer,
  options: UploadOptions = {},
): AsyncGenerator<ImportDatasetRequest> {
  const { source = 'test.tar.gz', kind = 'real', header, sha256 } = options;
  const { chunkBytes = USUAL_CHUNK_BYTES } = options;
  yield { part: { $case: 'header', value: { ...headerOf(source, kind), ...header } } };
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    yield { part: { $case: 'chunk', value: bytes.subarray(at, at + chunkBytes) } };
  }
  const value = sha256 === undefined ? createHash('sha256').update(bytes).digest('hex') : sha256;
  if (value !== null) yield { part: { $case: 'end_sha256', value } };
}

/** An upload that sends its header, perhaps some bytes, and then nothing more, until `gone` aborts. */
export async function* endlessUpload(
  source: string,
  gone?: AbortSignal,
  bytes?: Buffer,
): AsyncGenerator<ImportDatasetRequest> {
  yield { part: { $case: 'header', value: headerOf(source) } };
  if (bytes) yield { part: { $case: 'chunk', value: bytes } };
  await sleep(2 * HANGS_AFTER_MS, undefined, { ref: false, ...(gone && { signal: gone }) });
}

/** The outcome and the progress messages of an import. */
export async function outcomeOf(
  responses: AsyncIterable<ImportDatasetResponse>,
): Promise<{ outcome: ImportOutcome; progress: ImportProgress[] }> {
  const progress: ImportProgress[] = [];
  let outcome: ImportOutcome | undefined;
  for await (const { event } of responses) {
    if (event?.$case === 'progress') progress.push(event.value);
    if (event?.$case === 'outcome') outcome = event.value;
  }
  if (!outcome) throw new Error('the import ended without an outcome');
  return { outcome, progress };
}
