import type { ServedAction } from '../store/dataset-store.ts';
import type { ArchivedFile } from './files/archive.ts';
import type { BrokerAssumptions } from './broker/broker-layout.ts';

/** What an import wants of broker rows. */
export interface BrokerOptions extends BrokerAssumptions {
  /** Whether made-up rows are generated when there are no real ones. */
  synthesizes: boolean;
  /** Of the generator of made-up rows; its own when absent. */
  seed?: number;
}

/** Who asks for an import, for the record. */
export interface ImportOrder {
  action: Exclude<ServedAction, 'use'>;
  /** As the caller names itself; empty when it does not. */
  actor: string;
  /** Whether what is served may shrink. */
  mayShrink: boolean;
}

/** What an import is asked to make a version of. */
export interface ImportSource extends ImportOrder {
  kind: string;
  source: string;
  /** Absent when the version is to differ from the served one in its broker rows only. */
  files?: AsyncIterable<ArchivedFile>;
  /** Of what the files are made from. Asked for once they have been read to their end. */
  sha256: () => string;
  /** Whether the files are added to the served version; files without bars always are. */
  adds: boolean;
  brokers: BrokerOptions;
}
