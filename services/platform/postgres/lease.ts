import { sql, type RawBuilder } from 'kysely';

/** A lease as a copy would take it now. */
export interface NewLease {
  now: Date;
  until: Date;
}

/**
 * Whether the lease that ends at the time in this column is free: nobody has it, it has ended, or it ends further ahead than any that
 * is renewed. That one was taken by a clock that was ahead, which may be hours, and nobody would have the turn until then. Clocks may
 * differ by as long as a lease lasts: by more, the lease of a clock that is behind would look ended as well.
 */
export function isFree(column: string, { now, until }: NewLease): RawBuilder<boolean> {
  const furthest = new Date(2 * until.getTime() - now.getTime());
  return sql<boolean>`(${sql.ref(column)} > ${now} and ${sql.ref(column)} <= ${furthest}) is not true`;
}
