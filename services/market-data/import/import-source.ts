import type { ServedAction } from '../store/dataset-store.ts';
import type { ArchivedFile } from './files/archive.ts';
import type { BrokerAssumptions } from './broker/broker-layout.ts';
import { createHash } from 'node:crypto';
import type { Dataset } from '#proto/saring/market_data/v1/datasets.ts';

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

/** Raised whenever the same files begin to give other rows, so that what the old rules made is not taken for it. */
const RULES = 1;

type ImportRequest = Pick<ImportSource, 'kind' | 'sha256' | 'adds' | 'brokers'>;

/** Differs between imports that may come to different datasets of a kind: by files, options, rules and base. */
export function fingerprintOf(
  { sha256, adds, brokers }: ImportRequest,
  base: Pick<Dataset, 'fingerprint'> | undefined,
): string {
  const made = { rules: RULES, files: sha256(), adds, brokers, base: base?.fingerprint };
  return createHash('sha256').update(JSON.stringify(made)).digest('hex');
}

/**
 * Whether this very import made the version, on its own or on top of another: adding the same files to what they were
 * added to already would change nothing.
 */
export function isMadeBy(request: ImportRequest, version: Dataset, published: Dataset[]): boolean {
  if (version.kind !== request.kind) return false;
  return [undefined, ...published].some((base) => fingerprintOf(request, base) === version.fingerprint);
}

/** Of the files of a whole import and how they are read, whatever is generated or added beside them. */
export function originFingerprintOf({ sha256, brokers: { unit, mode } }: ImportRequest): string {
  const made = { rules: RULES, files: sha256(), unit, mode };
  return createHash('sha256').update(JSON.stringify(made)).digest('hex');
}

/**
 * Whether the version began with the files of this import of a whole dataset: what has been added to it since is kept
 * by not importing the whole again.
 */
export function beganWith(request: ImportRequest, version: Dataset): boolean {
  if (request.adds || version.kind !== request.kind) return false;
  return version.origin_fingerprint === originFingerprintOf(request);
}
