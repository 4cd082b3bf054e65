import type { ArchivedFile } from '../files/archive.ts';
import type { BrokerAssumptions } from '#shared/data-format/broker-layout.ts';
import { createHash } from 'node:crypto';
import type { Dataset, GeneratedMarket } from '#proto/saring/market_data/v1/datasets.ts';

export interface BrokerOptions extends BrokerAssumptions {
  /** Whether to generate synthetic broker rows if there are no real ones. */
  synthesizes: boolean;
  /** Seed for generating synthetic broker rows. If absent, the seed of the base, or else the default one. */
  seed?: number;
  /** Whether files are later and earlier states of the same lists, in the order of their names, and do not add up. */
  newestFirst?: boolean;
}

type ImportAction = 'import' | 'sample' | 'broker synthesis' | 'accepted day';

/** The origin of an import request, for the record. */
export interface ImportOrder {
  action: ImportAction;
  /** The name that the caller gives; empty if it gives none. */
  actor: string;
  mayShrink: boolean;
}

/** Days from one to another, both included. */
export interface DaySpan {
  from: string;
  to: string;
}

/** The name of the source of an operator's files. */
export const OF_OPERATOR = 'import';

export interface ImportSource extends ImportOrder {
  kind: string;
  source: string;
  /** Absent if the version is to differ from the served one in its broker rows only. */
  files?: AsyncIterable<ArchivedFile>;
  /** SHA-256 of what the files are made from. Called only after they have been read to their end. */
  sha256: () => string;
  /** Whether the files are added to the served version. Files without bars always are. */
  adds: boolean;
  /** The days of which added files may change what is there, and those before its first that they may add. None if absent. */
  restates?: DaySpan | undefined;
  /** The version to which the files must be added, if not whichever is served. */
  addsTo?: string;
  /** What the bars of the version are generated from. Absent if the files hold bars from anywhere else. */
  generated?: GeneratedMarket;
  /** Who says what the files say. Files of an operator come first of all sources. */
  said?: { by: string; retrievedAt?: Date | undefined; rank: number };
  brokers: BrokerOptions;
  /** A day that counts as whole from now on, however few stocks it has. */
  acceptedDay?: string;
  /** What the record says; the source if absent. */
  reason?: string;
  /** Whether the version is one of the test market, which is never served. */
  isTest?: true;
}

/**
 * Increment whenever the same files would give different rows, so that older versions no longer count as their result. Importing the
 * files again then makes a new version.
 */
const RULES = 3;
/** The same for starts with a configured file. They then import it again, and what was added to the market since is lost. */
const ORIGIN_RULES = 1;

type ImportRequest = Pick<ImportSource, 'kind' | 'sha256' | 'adds' | 'restates' | 'brokers' | 'said'>;

/** Differs between imports that may give different datasets, because of files, options, rules or base. */
export function fingerprintOf(
  { sha256, adds, restates, brokers, said }: ImportRequest,
  base: Pick<Dataset, 'fingerprint'> | undefined,
): string {
  const how = { adds, restates, brokers, rank: said?.rank };
  const made = { rules: RULES, files: sha256(), ...how, base: base?.fingerprint };
  return createHash('sha256').update(JSON.stringify(made)).digest('hex');
}

/**
 * Whether this import made the version, alone or on top of a published one. Adding files again to a version that
 * already has them would change nothing.
 */
export function isMadeBy(request: ImportRequest, version: Dataset, published: Dataset[]): boolean {
  if (version.kind !== request.kind) return false;
  return [undefined, ...published].some((base) => fingerprintOf(request, base) === version.fingerprint);
}

/** Covers the files of a whole import and how they are read, but not what is generated or added later. */
export function originFingerprintOf({ sha256, brokers: { unit, mode } }: ImportRequest): string {
  const made = { rules: ORIGIN_RULES, files: sha256(), unit, mode };
  return createHash('sha256').update(JSON.stringify(made)).digest('hex');
}

/**
 * Whether the version began with the files of this import of a whole dataset. If it did, the import is skipped, which
 * keeps what was added to the version since.
 */
export function beganWith(request: ImportRequest, version: Dataset): boolean {
  if (request.adds || version.kind !== request.kind) return false;
  return version.origin_fingerprint === originFingerprintOf(request);
}
