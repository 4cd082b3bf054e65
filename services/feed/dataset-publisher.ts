import { createHash } from 'node:crypto';
import { pack } from 'tar-stream';
import type {
  ContinueSampleRequest,
  DatasetServiceService,
  ImportDatasetRequest,
  ImportHeader,
  ImportOutcome,
} from '#proto/saring/market_data/v1/datasets.ts';
import type { ServiceClient } from '#shared/grpc/client.ts';
import { randomId } from '#shared/ids.ts';
import { ServiceError } from '#shared/service-error.ts';
import type { DataFile } from './sources/data-file.ts';

const CHUNK_BYTES = 256 * 1024;
/** Far longer than the import of a day with all broker rows takes. */
const IMPORT_TIMEOUT_MS = 600_000;
/** The caller that the record of served versions names. */
const ACTOR = 'feed';

type Datasets = Pick<ServiceClient<DatasetServiceService>, 'importDataset' | 'continueSample'>;

/** Publishes what sources bring, through the importer of market-data. */
export class DatasetPublisher {
  readonly #datasets: Datasets;

  constructor(datasets: Datasets) {
    this.#datasets = datasets;
  }

  /** @throws ServiceError import_rejected when the importer refuses the files */
  files(
    files: DataFile[],
    header: Omit<ImportHeader, 'sha256'>,
    signal: AbortSignal,
  ): Promise<ImportOutcome> {
    return this.#outcome((call) => this.#datasets.importDataset(messages(files, header), call), signal);
  }

  /** @throws ServiceError import_rejected when another market is served by now */
  continued(request: ContinueSampleRequest, signal: AbortSignal): Promise<ImportOutcome> {
    return this.#outcome((call) => this.#datasets.continueSample(request, call), signal);
  }

  async #outcome(
    begin: (call: Parameters<Datasets['continueSample']>[1]) => ReturnType<Datasets['continueSample']>,
    signal: AbortSignal,
  ): Promise<ImportOutcome> {
    const call = { requestId: randomId('req'), actor: ACTOR, signal, timeoutMs: IMPORT_TIMEOUT_MS };
    for await (const { event } of begin(call)) {
      if (event?.$case === 'outcome') return event.value;
    }
    throw new ServiceError('data_unavailable', 'The import ended without an outcome.');
  }
}

/** The header, the files as a tar, and its hash, which shows the importer that it received everything. */
async function* messages(
  files: DataFile[],
  header: Omit<ImportHeader, 'sha256'>,
): AsyncGenerator<ImportDatasetRequest> {
  yield { part: { $case: 'header', value: { ...header, sha256: undefined } } };
  const hash = createHash('sha256');
  for await (const bytes of packed(files)) {
    hash.update(bytes);
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES)
      yield { part: { $case: 'chunk', value: bytes.subarray(at, at + CHUNK_BYTES) } };
  }
  yield { part: { $case: 'end_sha256', value: hash.digest('hex') } };
}

/** Without owners and times, so that the same files always give the same bytes and fingerprint. */
function packed(files: DataFile[]): AsyncIterable<Buffer> {
  const archive = pack();
  for (const { path: name, bytes } of files) archive.entry({ name, mtime: new Date(0) }, bytes);
  archive.finalize();
  return archive as AsyncIterable<Buffer>;
}
