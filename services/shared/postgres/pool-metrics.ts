import { Gauge } from 'prom-client';
import type pg from 'pg';

const pools = new Map<string, pg.Pool>();

new Gauge({
  name: 'saring_postgres_connections',
  help: 'Connections of the pool to PostgreSQL, by what they do.',
  labelNames: ['schema', 'state'],
  collect() {
    for (const [schema, { totalCount, idleCount }] of pools) {
      this.set({ schema, state: 'busy' }, totalCount - idleCount);
      this.set({ schema, state: 'idle' }, idleCount);
    }
  },
});

new Gauge({
  name: 'saring_postgres_waiting',
  help: 'Statements that wait for a connection of the pool.',
  labelNames: ['schema'],
  collect() {
    for (const [schema, { waitingCount }] of pools) this.set({ schema }, waitingCount);
  },
});

/** From now on the process shows how the pool stands. It has one of each schema. */
export function measurePool(pool: pg.Pool, schema: string): void {
  pools.set(schema, pool);
}
