import type { ArchivedFile } from './archive.ts';
import type { BrokerAssumptions } from './broker/broker-layout.ts';

/** What an import wants of broker rows. */
export interface BrokerWishes extends BrokerAssumptions {
  /** Whether made-up rows are generated when there are no real ones. */
  synthesizes: boolean;
  /** Of the generator of made-up rows; its own when absent. */
  seed?: number;
}

/** What an import is asked to make a version of. */
export interface ImportSource {
  kind: string;
  source: string;
  /** Absent when the version is to differ from the newest one in its broker rows only. */
  files?: AsyncIterable<ArchivedFile>;
  /** Of what the files are made from. Asked for once they have been read to their end. */
  sha256: () => string;
  /** Whether the files are added to the newest version; files without bars always are. */
  adds: boolean;
  brokers: BrokerWishes;
}
