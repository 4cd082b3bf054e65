import type { ClickHouseAddress } from '#shared/clickhouse/address.ts';
import type { LearntModel } from '#models/learnt/learnt-market.ts';
import type { PicksToRecord } from '#models/picks/picks-to-record.ts';
import type { Replacement } from '#models/reasons/localised-json.ts';
import type { DatasetLabel, ScreenSummary } from '#models/screen.ts';
import type { RunErrorCode } from '#shared/run-protocol.ts';
import type { Sentence } from '#shared/text/languages.ts';
import type { StageTime } from './timings/run-timings.ts';

/** The data that the screen thread is started with. */
export interface ThreadStart {
  clickhouseAt: ClickHouseAddress;
  /** Number of threads that learn, including the screen thread. */
  trainerThreads: number;
  /** How long a run waits for an unavailable ClickHouse. */
  patienceMs: number;
  /** Whether a model learnt from the same numbers is reused. */
  reusesModels: boolean;
  /** Memory of the RunCancellation that ends its runs. */
  cancellation: SharedArrayBuffer;
  /** Memory of the RunCancellation that ends learning ahead. */
  preparation: SharedArrayBuffer;
  /** Index of the model with which learning ahead begins, so that workers begin with different models. */
  preparesFrom: number;
}

/** A published dataset version, with the data needed to read it. */
export interface DatasetToLoad extends DatasetLabel {
  /** The expected number of bars. Fewer would silently change every result. */
  bars: number;
  /** Names of the segments in which its broker rows are stored. */
  broker_segments: string[];
}

/** A run for the screen thread. */
export interface ThreadRun {
  model_id: string;
  /** YYYY-MM-DD. */
  analysis_date: string;
  params: Record<string, unknown>;
  view: 'full' | 'compact';
  /** Whether the run belongs to a backfill. Other runs are unlikely to need what it learns. */
  isHistory?: boolean;
  /** The run needs a dataset that reaches this trading day, YYYY-MM-DD; any dataset if absent. */
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
  /** The parts that differ in English. */
  english: Replacement[];
  summary: ScreenSummary;
  datasetVersion: string;
  datasetKind: string;
  /** The data for the record of past picks. `lastDate` decides, with the kind of the dataset, whether it counts. */
  record?: (PicksToRecord & { lastDate: string }) | undefined;
  /** The model that it learnt, if any. */
  model?: LearntModel | undefined;
  /** The stages in order; a stage may occur more than once. */
  stages: StageTime[];
  /** Data from which names are explained, packed. */
  explanation?: Uint8Array | undefined;
}

/** How a run ended, for its caller. */
export type Outcome =
  | SucceededRun
  /** `message` is for display. */
  | {
      status: 'failed';
      code: RunErrorCode;
      message: Sentence;
      datasetVersion?: string | undefined;
      datasetKind?: string | undefined;
      /** The trading day to be analysed, if the data contains one. */
      targetDate?: string | undefined;
    }
  | { status: 'interrupted' };

export type FromThread =
  | { kind: 'loaded'; version: string; tookMs: number }
  | { kind: 'not_loaded'; version: string; reason: string }
  /** The current run found ClickHouse unavailable and retries. */
  | { kind: 'waiting' }
  /** What a run with the defaults needs could not be learnt ahead. */
  | { kind: 'unprepared'; modelId: string; reason: string }
  /** A run needs a lesson that another worker may have. */
  | { kind: 'lesson_wanted'; name: string }
  | { kind: 'lesson_learnt'; name: string; serialised: Uint8Array }
  | { kind: 'finished'; outcome: Outcome; unexpected?: string | undefined };
