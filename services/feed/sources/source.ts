import type { ImportOutcome } from '#proto/saring/market_data/v1/datasets.ts';
import type { DatasetPublisher } from '../dataset-publisher.ts';
import { storable } from '#shared/wire/text-mistakes.ts';
import type { DataFile } from './data-file.ts';
import type { MarketState } from '../served-market.ts';

/** Why a fetch failed, as a word for programs. */
export const PROBLEMS = [
  'not_published',
  'bot_wall',
  'forbidden',
  'rate_limited',
  'unreachable',
  'timed_out',
  'truncated',
  'too_large',
  'changed_shape',
  'repeated_day',
  'budget_spent',
  'refused',
  'interrupted',
] as const;
export type Problem = (typeof PROBLEMS)[number];

/** A fetch that brought nothing. The message says what happened and, where there is something to do, what the operator can do. */
export class SourceFailure extends Error {
  override readonly name = 'SourceFailure';
  readonly problem: Problem;
  /** How long the source asks to be left alone, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(problem: Problem, message: string, options: { retryAfterMs?: number; cause?: unknown } = {}) {
    // It can quote what a source sent.
    super(storable(message), { cause: options.cause });
    this.problem = problem;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** What one fetch brought. */
export interface Delivery {
  /** Bytes received. */
  bytes: number;
  /** Rows read from them. */
  rows: number;
  /** What was noticed, in words. */
  findings: string[];
  /**
   * SHA-256 of the content without its dates. Two days with the same content are one day that the source repeats. Empty if
   * days may well be equal.
   */
  digest: string;
  files: DataFile[];
}

/** What a source is asked for: a trading day (YYYY-MM-DD), or the name of a file in a folder. */
export type Subject = string;

/** What is known when a source is asked for what is due. */
export interface DueRequest {
  market: MarketState;
  now: Date;
  /** Subjects that were fetched since yesterday and need not be asked for again. */
  isDone: (subject: Subject) => boolean;
  /** Whether a subject has failed since it last brought something. */
  hasFailed: (subject: Subject) => boolean;
  /** Whether it rests after a failure. */
  isResting: (subject: Subject) => boolean;
  /** Whether the source has ever brought content with this digest, under whatever name. */
  hasBrought: (digest: string) => Promise<boolean>;
}

export const SOURCE_FORMATS = [
  'generator',
  'idx_summary',
  'broker_rows',
  'mapping',
  'dataset_files',
] as const;
export type SourceFormat = (typeof SOURCE_FORMATS)[number];

/** One place that market data comes from. */
export interface Source {
  readonly name: string;
  readonly format: SourceFormat;
  /** For people: the URL without its query, the file or the folder; empty for the generator. */
  readonly origin: string;
  readonly requestsPerDay: number;
  /** Whether it brings bars, so that the market cannot be newer than what it has. */
  readonly hasBars: boolean;
  /** Whether its subjects are trading days, so that a span of them can be caught up. */
  readonly hasDays: boolean;
  /** Milliseconds between two questions whether something is due. */
  readonly lookEveryMs: number;
  /** For files: since when a file has the content that it has. What failed before was another content. */
  sameSince?(subject: Subject): Date | undefined;
  /** What should be fetched now, in this order; empty if nothing is due. Throws `SourceFailure` if nothing can be due. */
  due(request: DueRequest): Promise<Subject[]>;
  /** Gets one subject. Throws `SourceFailure`. Ends soon after `signal` aborts. */
  fetch(subject: Subject, signal: AbortSignal): Promise<Delivery>;
  /** Publishes what several fetches brought as one dataset version. */
  publish(deliveries: Delivered[], to: Publication): Promise<ImportOutcome>;
}

/** Where deliveries go. */
export interface Publication {
  publisher: DatasetPublisher;
  /** The market that they add to. */
  market: MarketState;
  signal: AbortSignal;
}

export interface Delivered {
  subject: Subject;
  delivery: Delivery;
  /** How it differs from what the source last brought for a subject that is served. Absent if it is new. */
  comparison?: 'corrected' | 'same' | undefined;
}
