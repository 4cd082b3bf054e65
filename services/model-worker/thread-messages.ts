import type { ClickHouseAddress } from '#shared/clickhouse/address.ts';
import type { LearntModel } from '#screens/learnt/learnt-market.ts';
import type { PicksToRecord } from '#screens/picks/picks-to-record.ts';
import type { Replacement } from '#screens/reasons/localised-json.ts';
import type { DatasetLabel, ScreenSummary } from '#screens/screen.ts';
import type { Sentence } from '#shared/text/languages.ts';
import type { StageTime } from './timings/run-timings.ts';

/** What the screen thread is started with. */
export interface ThreadStart {
  clickhouseAt: ClickHouseAddress;
  /** How many threads learn, the screen thread included. */
  trainerThreads: number;
  /** How long a run waits for a ClickHouse that is away. */
  patienceMs: number;
  /** Whether a model that was learnt from the same numbers is not learnt again. */
  reusesModels: boolean;
  /** Of the RunCancellation that ends its runs. */
  cancellation: SharedArrayBuffer;
  /** Of the one that ends what it learns ahead of them. */
  preparation: SharedArrayBuffer;
  /** With which of the models it begins to learn ahead, so that workers begin with different ones. */
  preparesFrom: number;
}

/** A published dataset version, with what is needed to read it. */
export interface DatasetToLoad extends DatasetLabel {
  /** Fewer would silently change every result. */
  bars: number;
  /** Where its broker rows are stored. */
  broker_segments: string[];
}

/** A run for the screen thread. */
export interface ThreadRun {
  model_id: string;
  /** YYYY-MM-DD. */
  analysis_date: string;
  params: Record<string, unknown>;
  view: 'full' | 'compact';
  /** Of a backfill: what it learns, no other run is likely to need. */
  isHistory?: boolean;
  /** The run needs a dataset that reaches this trading day, YYYY-MM-DD; any will do when absent. */
  trading_day?: string | undefined;
}

export type ToThread =
  | { kind: 'load'; dataset: DatasetToLoad }
  | { kind: 'run'; dataset: DatasetToLoad; run: ThreadRun }
  /** The answer to a `lesson_wanted`. */
  | { kind: 'lesson'; name: string; serialised: Uint8Array | undefined }
  /** Ends the thread. */
  | { kind: 'stop' };

export interface SucceededRun {
  status: 'succeeded';
  resultJson: Uint8Array;
  /** What of it reads otherwise in English. */
  english: Replacement[];
  summary: ScreenSummary;
  datasetVersion: string;
  /** What the record of past picks keeps, and what of the dataset decides whether it counts. */
  record?: (PicksToRecord & { lastDate: string; datasetKind: string }) | undefined;
  /** What it learnt, if it learns. */
  model?: LearntModel | undefined;
  /** What it did one after the other; a stage may come more than once. */
  stages: StageTime[];
  /** By which names are explained, packed. */
  explanation?: Uint8Array | undefined;
}

/** How a run ended, for its caller. */
export type Outcome =
  | SucceededRun
  /** `message` is for display. */
  | {
      status: 'failed';
      message: Sentence;
      datasetVersion?: string | undefined;
      /** The trading day it was to analyse, where the data has one. */
      targetDate?: string | undefined;
    }
  | { status: 'interrupted' };

export type FromThread =
  | { kind: 'loaded'; version: string; tookMs: number }
  | { kind: 'not_loaded'; version: string; reason: string }
  /** The run under way found ClickHouse away and tries again. */
  | { kind: 'waiting' }
  /** What a run with the defaults needs could not be learnt ahead. */
  | { kind: 'unprepared'; modelId: string; reason: string }
  /** A run needs what another worker may have learnt. */
  | { kind: 'lesson_wanted'; name: string }
  | { kind: 'lesson_learnt'; name: string; serialised: Uint8Array }
  | { kind: 'finished'; outcome: Outcome; unexpected?: string | undefined };
