import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What a simulation follows: an encoded SimulatedPicks. Null for runs of models. */
export const simulations: Migration = {
  async up(db) {
    await sql`alter table run add column picks bytea`.execute(db);
  },
};
