import type { ColumnType, Generated, Selectable } from 'kysely';
import type { OutboxTables } from '#platform/postgres/outbox.ts';

type Written<T> = ColumnType<T, T, never>;

export type EventRow = Selectable<EventTable>;

/** What happened, as its key is told. Events are never changed, but for end users that are erased. */
interface EventTable {
  event_id: Written<string>;
  api_key_id: Written<string>;
  /** Counts the events of the key, from 1 and without gaps. A bigint, which the driver reads as a text. */
  sequence: ColumnType<string, number, never>;
  type: Written<string>;
  occurred_at: Written<Date>;
  data: ColumnType<Record<string, unknown>, string, never>;
  received_at: Written<Date>;
}

/** The number of the newest event of a key. Outlives the events. */
interface EventSequenceTable {
  api_key_id: string;
  last: ColumnType<string, number, number>;
}

/** An endpoint of an application, and how its deliveries go. */
export interface WebhookTable {
  webhook_id: Written<string>;
  api_key_id: Written<string>;
  url: string;
  /** Null for all, also those to come. */
  event_types: string[] | null;
  description: string | null;
  /** Encrypted. */
  secret: string;
  /** The secret before, encrypted, which also signs until the moment beside it. */
  previous_secret: string | null;
  previous_secret_until: Date | null;
  /** Those before it that still sign, the newest first. */
  older_secrets: ColumnType<{ secret: string; until: string }[], string | undefined, string>;
  enabled: Generated<boolean>;
  /** Null while it is enabled, and only then. */
  disabled_reason: string | null;
  disabled_at: Date | null;
  /** Its owner sees it no more. It is disabled, and goes once its deliveries are removed. */
  deleted_at: Date | null;
  created_at: Written<Date>;
  updated_at: Date;
  /** Failed attempts in a row. */
  failures: Generated<number>;
  /** The first of them; null after a success. */
  failing_since: Date | null;
  /** Nothing is attempted before. Null for an endpoint in good standing. */
  resting_until: Date | null;
  /** Whether the last attempt took long. */
  is_slow: Generated<boolean>;
  /** When its next delivery is due. Null while none waits. */
  due_at: Date | null;
  /** When it was claimed last; the order in which endpoints take turns. */
  served_at: Date | null;
  /** The copy that attempts its deliveries, until its lease ends. */
  lease_holder: string | null;
  leased_until: Date | null;
}

/** An event on its way to a webhook. */
export interface DeliveryTable {
  delivery_id: Written<string>;
  webhook_id: Written<string>;
  /** Null for a test, and only then. */
  event_id: Written<string | null>;
  test: ColumnType<Record<string, unknown> | null, string | null | undefined, never>;
  /** Whether somebody asked for the event again. */
  is_redelivery: ColumnType<boolean, boolean | undefined, never>;
  state: Generated<string>;
  attempts: Generated<number>;
  created_at: Written<Date>;
  due_at: Date;
  finished_at: Date | null;
}

/** One request to an endpoint. */
export interface AttemptTable {
  delivery_id: Written<string>;
  number: Written<number>;
  started_at: Written<Date>;
  duration_ms: Written<number>;
  outcome: Written<string>;
  request_headers: ColumnType<Record<string, string>, string, never>;
  status: Written<number | null>;
  /** The beginning of the answer. */
  answer: Written<string | null>;
  error: Written<string | null>;
}

/** A dataset version that applications were told of. */
interface ToldDatasetTable {
  version: string;
  told_at: Date;
}

export interface WebhooksTables extends OutboxTables {
  told_dataset: ToldDatasetTable;
  event: EventTable;
  event_sequence: EventSequenceTable;
  webhook: WebhookTable;
  delivery: DeliveryTable;
  attempt: AttemptTable;
}
