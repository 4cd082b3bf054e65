import type { CachedModel } from '#models/trained/model-cache.ts';
import type { StockScore } from '#models/explain/stock-scores.ts';
import type { TrainedModel } from '#models/trained/trained-market.ts';
import type { PicksToRecord } from '#models/picks/picks-to-record.ts';
import type { Replacement } from '#models/reasons/localised-json.ts';
import type { ScreenSummary } from '#models/model/screen.ts';
import type { DaySpan } from '#quant/panel/ranges.ts';
import type { RunErrorCode } from '#models/inputs/run-errors.ts';
import type { Sentence } from '#foundation/text/languages.ts';
import type { SharedMarket } from '../market/shared-market.ts';
import type { StageTime } from './run-timings.ts';
import type { ThreadAnswer, ThreadRequest } from '../market/thread-requests.ts';

export interface ThreadStart {
  /** Number of threads that train, including the screen thread. */
  trainerThreads: number;
  patienceMs: number;
  /** Whether a model trained on the same numbers is reused. */
  reusesModels: boolean;
  /** Whether it leaves the processor to others that want it. */
  yields: boolean;
  /** Memory of the RunCancellation that ends its runs. */
  cancellation: SharedArrayBuffer;
}

export interface ThreadRun {
  model_id: string;
  /** YYYY-MM-DD. */
  analysis_date: string;
  params: Record<string, unknown>;
  view: 'full' | 'compact';
  /** When its worker took it, in milliseconds since 1970: it may have waited for a dataset or a thread since. */
  begunAtMs?: number;
  /** Whether the run belongs to a backfill. Other runs are unlikely to need what it trains. */
  isHistory?: boolean;
  reportsScores?: boolean;
}

export type ToThread =
  | { kind: 'run'; market: SharedMarket; run: ThreadRun }
  /** Runs use another version now. */
  | { kind: 'forget'; version: string }
  | ThreadAnswer
  | { kind: 'stop' };

/** What a screen thread asks the main thread for during a run. */
export type ThreadQuery =
  /** Resolves to a cached model or, if this thread must train it, to undefined. */
  | { what: 'model'; name: string; willLearn: boolean }
  | { what: 'flow'; version: string; span: DaySpan }
  | { what: 'months'; version: string; span: DaySpan };

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
  model?: TrainedModel | undefined;
  /** The stages in order; a stage may occur more than once. */
  stages: StageTime[];
  /** Data from which names are explained, packed. */
  explanation?: Uint8Array | undefined;
  /** What it said of every stock that it scored, if the run was to report that. */
  scores?: StockScore[] | undefined;
}

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
  | ThreadRequest<ThreadQuery>
  /** The current run found ClickHouse unavailable and retries. */
  | { kind: 'waiting' }
  | { kind: 'trained'; name: string; cachedModel: CachedModel }
  | { kind: 'finished'; outcome: Outcome; unexpected?: string | undefined };
