import { createHmac, timingSafeEqual } from 'node:crypto';
import type { RecordedPick } from '#proto/saring/events/v1/runs.ts';
import type { PickState } from '#quant/labels/picks-outcome.ts';
import type { Regime } from '#quant/regime/regime.ts';
import { canonicalJson } from '#shared/text/canonical-json.ts';

/**
 * The record of past picks is one chain of entries, each sealed together with the one before. `version`: a dataset version
 * was served from here on. `run`: a run and its picks, when it succeeded. `outcome`: how the picks of a run stand, again
 * whenever that has changed; the last one counts.
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
  /** Whether the days by which the picks are judged were unknown when this was written; see `RecordStore.appendRun`. */
  counts: boolean;
  /** Fractions of the close of the day. */
  target_gain: number;
  stop_loss: number;
  horizon_days: number;
  /** IDR; floors of the names that the run chose among. */
  min_price: number;
  min_daily_val: number;
  regime: Regime;
  /** Best first. */
  picks: RecordedPick[];
}

export interface OutcomeBody {
  /** By which this is known. */
  dataset_version: string;
  /** In the order of the run's picks. */
  picks: PickResolution[];
  /** Of all names; null until the horizon is over. */
  names: { names: number; win_rate: number; net_return: number } | null;
}

export interface PickResolution {
  ticker: string;
  state: PickState;
  /** YYYY-MM-DD. */
  exit_date: string | null;
  /** Fraction of what was paid. */
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

/** Where the record ends. */
export interface Head {
  seq: number;
  hash: string;
}

/** Before the first entry. */
export const NO_HEAD: Head = { seq: 0, hash: '' };

/**
 * The entry with its seal: HMAC-SHA256, in hex, over the canonical JSON of all of it and the seal before. The secret is
 * not in the database, so whoever can change that cannot seal what was changed.
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

/** What is wrong with an entry, given the one before; undefined when nothing is. */
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
