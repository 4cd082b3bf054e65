import { createHash } from 'node:crypto';
import {
  DatasetServiceService,
  type ImportDatasetRequest,
  type ImportDatasetResponse,
  type ImportHeader,
  type ImportOutcome,
  type ImportProgress,
} from '#proto/saring/market_data/v1/datasets.ts';
import { MarketDataServiceService } from '#proto/saring/market_data/v1/market_data.ts';
import { clientOf, OPERATOR_TOKEN } from '../processes/service-process.ts';

const OPTIONS = { timeoutMs: 60_000 };
const CHUNK_BYTES = 256 * 1024;

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
  /** What else the header says. */
  header?: Partial<ImportHeader>;
  /** Sent in place of the true hash; nothing is sent at the end when null. */
  sha256?: string | null;
}

/** What an upload of a whole dataset begins with. It may replace a larger one. */
export function headerOf(source: string, kind = 'real'): ImportHeader {
  const brokers = { synthesize_brokers: false, broker_unit: '', broker_mode: '' };
  return { source, kind, adds: false, may_shrink: true, ...brokers };
}

/** The messages of an upload. */
export async function* uploadOf(
  bytes: Buffer,
  options: UploadOptions = {},
): AsyncGenerator<ImportDatasetRequest> {
  const { source = 'test.tar.gz', kind = 'real', header, sha256 } = options;
  yield { part: { $case: 'header', value: { ...headerOf(source, kind), ...header } } };
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    yield { part: { $case: 'chunk', value: bytes.subarray(at, at + CHUNK_BYTES) } };
  }
  const value = sha256 === undefined ? createHash('sha256').update(bytes).digest('hex') : sha256;
  if (value !== null) yield { part: { $case: 'end_sha256', value } };
}

/** Everything an import answered. */
export async function outcomeOf(
  answers: AsyncIterable<ImportDatasetResponse>,
): Promise<{ outcome: ImportOutcome; progress: ImportProgress[] }> {
  const progress: ImportProgress[] = [];
  let outcome: ImportOutcome | undefined;
  for await (const { event } of answers) {
    if (event?.$case === 'progress') progress.push(event.value);
    if (event?.$case === 'outcome') outcome = event.value;
  }
  if (!outcome) throw new Error('the import ended without an outcome');
  return { outcome, progress };
}
