import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export const initial: Migration = {
  async up(db) {
    await sql`create table event (
      event_id text primary key,
      api_key_id text not null,
      sequence bigint not null,
      type text not null,
      occurred_at timestamptz not null,
      data jsonb not null,
      received_at timestamptz not null,
      unique (api_key_id, sequence)
    )`.execute(db);
    await sql`create index event_age on event (received_at)`.execute(db);
    await sql`create table event_sequence (api_key_id text primary key, last bigint not null)`.execute(db);
    await sql`create table webhook (
      webhook_id text primary key,
      api_key_id text not null,
      url text not null,
      event_types text[],
      description text,
      secret text not null,
      previous_secret text,
      previous_secret_until timestamptz,
      enabled boolean not null default true,
      disabled_reason text,
      disabled_at timestamptz,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      failures integer not null default 0,
      failing_since timestamptz,
      resting_until timestamptz,
      is_slow boolean not null default false,
      due_at timestamptz,
      served_at timestamptz,
      lease_holder text,
      leased_until timestamptz,
      constraint webhook_says_why_disabled check (enabled = (disabled_reason is null))
    )`.execute(db);
    await sql`create index webhook_of_key on webhook (api_key_id, created_at desc, webhook_id desc)`.execute(
      db,
    );
    await sql`create index webhook_due on webhook (due_at) where enabled and due_at is not null`.execute(db);
    await sql`create table delivery (
      delivery_id text primary key,
      webhook_id text not null references webhook on delete cascade,
      event_id text references event on delete cascade,
      test jsonb,
      is_redelivery boolean not null default false,
      state text not null default 'waiting',
      attempts integer not null default 0,
      created_at timestamptz not null,
      due_at timestamptz not null,
      finished_at timestamptz,
      constraint delivery_of_event_or_test check ((event_id is null) <> (test is null))
    )`.execute(db);
    // The next deliveries of one endpoint, however many wait for others.
    await sql`create index delivery_due on delivery (webhook_id, due_at) where state = 'waiting'`.execute(db);
    await sql`create index delivery_of_webhook on delivery (webhook_id, created_at desc, delivery_id desc)`.execute(
      db,
    );
    await sql`create index delivery_of_event on delivery (event_id)`.execute(db);
    await sql`create index delivery_waiting_age on delivery (created_at) where state = 'waiting'`.execute(db);
    await sql`create index delivery_test_age on delivery (created_at) where event_id is null`.execute(db);
    await sql`create table attempt (
      delivery_id text not null references delivery on delete cascade,
      number integer not null,
      started_at timestamptz not null,
      duration_ms integer not null,
      outcome text not null,
      request_headers json not null,
      status integer,
      answer text,
      error text,
      primary key (delivery_id, number)
    )`.execute(db);
  },
};
