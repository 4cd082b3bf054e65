import type { ImportOutcome } from '#proto/saring/market_data/v1/datasets.ts';
import type { Delivered, Delivery, Subject } from '../deliveries/delivery.ts';
import type { SourceFormat } from '../formats/formats.ts';
import type { DatasetPublisher } from '../market/dataset-publisher.ts';
import type { MarketState } from '../market/served-market.ts';

/** What is known when a source is asked for what is due. */
export interface DueRequest {
  market: MarketState;
  now: Date;
  /** The newest trading day that the source has brought; undefined if it never brought one. */
  lastDay: string | undefined;
  /** Subjects that were fetched since yesterday and need not be asked for again. */
  isDone: (subject: Subject) => boolean;
  /** Whether it was asked for today, whatever came of it. */
  wasAsked: (subject: Subject) => boolean;
  /** Whether a subject has failed since it last brought something. */
  hasFailed: (subject: Subject) => boolean;
  /** Whether it rests after a failure. */
  isResting: (subject: Subject) => boolean;
  /** Whether the source has ever brought content with this digest, under whatever name. */
  hasBrought: (digest: string) => Promise<boolean>;
}

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
  publish(deliveries: Delivered[], to: Publication): Promise<ImportOutcome>;
}

export interface Publication {
  publisher: DatasetPublisher;
  market: MarketState;
  /** When the last of them was fetched. */
  retrievedAt: Date;
  signal: AbortSignal;
}
