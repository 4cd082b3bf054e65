import { createHmac, timingSafeEqual } from 'node:crypto';
import type { RecordedPick } from '#proto/saring/events/v1/runs.ts';
import type { PickState } from '#quant/labels/picks-outcome.ts';
import type { Regime } from '#quant/regime/regime.ts';
import { canonicalJson } from '#foundation/text/canonical-json.ts';

/**
 * The record of past picks is a chain of entries, each sealed together with the previous one. `version`: from here on
 * this dataset version was served. `run`: a successful run and its picks. `outcome`: the current result of a run's
 * picks, written again whenever it changes; the last one counts.
 */
export type EntryKind = 'version' | 'run' | 'outcome';
export type EntryBody = VersionBody | RunBody | OutcomeBody;

export interface VersionBody {
  dataset_version: string;
  dataset_kind: string;
  /** Last trading day, YYYY-MM-DD. */
  last_date: string;
}

export interface RunBody {
  dataset_version: string | null;
  dataset_kind: string;
  /** Day analysed, YYYY-MM-DD. */
  as_of: string;
  /** Last trading day of the version that the run read, YYYY-MM-DD. */
  last_date: string;
  /** Whether the days that decide the picks were unknown when this was written; see `RecordStore.appendRun`. */
  counts: boolean;
  /** Fraction of that day's close, as is `stop_loss`. */
  target_gain: number;
  stop_loss: number;
  horizon_days: number;
  /** In IDR. Minimum price and daily value of the names that the run chose from. */
  min_price: number;
  min_daily_val: number;
  regime: Regime;
  /** Best first. */
  picks: RecordedPick[];
}

export interface OutcomeBody {
  /** The dataset version that shows this outcome. */
  dataset_version: string;
  /** In the order of the run's picks. */
  picks: PickResolution[];
  /** Results over all names; null until five trading days after the horizon. */
  names: { names: number; win_rate: number; net_return: number } | null;
}

export interface PickResolution {
  ticker: string;
  state: PickState;
  /** YYYY-MM-DD. */
  exit_date: string | null;
  /** Fraction of the purchase price; null unless it was bought and sold. */
  net_return: number | null;
}

/** An entry without its seals. */
export interface EntryContent {
  seq: number;
  written_at: Date;
  kind: EntryKind;
  model_id: string | null;
  api_key_id: string | null;
  job_id: string | null;
  body: EntryBody;
}

export interface Entry extends EntryContent {
  previous_hash: string;
  hash: string;
}

/** The last entry of the record. */
export interface Head {
  seq: number;
  hash: string;
}

export const NO_HEAD: Head = { seq: 0, hash: '' };

/**
 * Seals an entry: HMAC-SHA256, in hex, over the canonical JSON of the whole entry and the previous seal. The secret is
 * not in the database, so write access to the database is not enough to seal a changed entry.
 */
export function sealed(content: EntryContent, previous: Head, secret: string): Entry {
  const previous_hash = previous.hash;
  return { ...content, previous_hash, hash: sealOf({ ...content, previous_hash }, secret) };
}

function sealOf(entry: Omit<Entry, 'hash'>, secret: string): string {
  const { seq, written_at, kind, model_id, api_key_id, job_id, body, previous_hash } = entry;
  const said = { seq, written_at, kind, model_id, api_key_id, job_id, body, previous_hash };
  return createHmac('sha256', secret).update(canonicalJson(said)).digest('hex');
}

/** What is wrong with an entry, given the previous one; undefined if nothing is. */
export function mistakeIn(entry: Entry, previous: Head, secret: string): string | undefined {
  if (entry.seq !== previous.seq + 1)
    return entry.seq === previous.seq + 2
      ? `entry ${previous.seq + 1} is missing`
      : `entries ${previous.seq + 1} to ${entry.seq - 1} are missing`;
  if (entry.previous_hash !== previous.hash) return `entry ${entry.seq} does not follow the one before it`;
  const due = Buffer.from(sealOf(entry, secret));
  const found = Buffer.from(entry.hash);
  const isGenuine = due.length === found.length && timingSafeEqual(due, found);
  return isGenuine ? undefined : `entry ${entry.seq} was altered, or not written by this service`;
}
