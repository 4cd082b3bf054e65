import { sql, type Kysely } from 'kysely';
import type { GetQueueResponse, QueuePoint } from '#proto/saring/models/v1/runs.ts';
import type { ModelsTables } from './tables.ts';

const POINTS = 60;

/** What happened to runs within one part of the period. Part 0 is everything before the period. */
interface Part {
  part: number;
  what: 'accepted' | 'left' | 'started' | 'ended';
  runs: number;
  p50: number | null;
  p95: number | null;
}

type Now = Omit<GetQueueResponse, 'points'> & { ts: Date };

/**
 * The number of waiting and running runs, now and over the last minutes. Two indexes find the runs: unfinished ones,
 * and those that ended within the period. Each run is counted once, so the cost does not grow with the number of
 * points.
 */
export async function queueOver(db: Kysely<ModelsTables>, minutes: number): Promise<GetQueueResponse> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (snapshot) => {
      const { ts, ...now } = await queueNow(snapshot);
      return { ...now, points: pointsOf(await partsOf(snapshot, minutes), ts, minutes) };
    });
}

async function queueNow(db: Kysely<ModelsTables>): Promise<Now> {
  const { rows } = await sql<Now>`
    select now() as ts,
      count(*) filter (where status = 'queued')::int as queued,
      count(*) filter (where status = 'running')::int as running,
      coalesce(extract(epoch from now() - min(created_at) filter (where status = 'queued')), 0)::float8
        as oldest_queued_seconds
    from run where status in ('queued', 'running')`.execute(db);
  return rows[0]!;
}

async function partsOf(db: Kysely<ModelsTables>, minutes: number): Promise<Part[]> {
  const start = sql`now() - make_interval(mins => ${minutes}::int)`;
  const partSeconds = (minutes * 60) / POINTS;
  const { rows } = await sql<Part>`
    with concerned as (
      select created_at, started_at, finished_at from run
      where status in ('queued', 'running') or finished_at > ${start}
    ), happened as (
      select 'accepted' as what, created_at as at, null::float8 as seconds from concerned
      union all
      select 'left', coalesce(started_at, finished_at), null from concerned
      union all
      select 'started', started_at, extract(epoch from started_at - created_at) from concerned
      union all
      select 'ended', finished_at, extract(epoch from finished_at - started_at) from concerned
      where started_at is not null
    )
    select greatest(0, ceil(extract(epoch from at - (${start})) / ${partSeconds}::float8))::int as part, what,
      count(*)::int as runs,
      percentile_cont(0.5) within group (order by seconds) as p50,
      percentile_cont(0.95) within group (order by seconds) as p95
    from happened where at is not null group by 1, 2`.execute(db);
  return rows;
}

/** The queue depth at a point in time is the number of arrivals minus the number of departures until then. */
function pointsOf(parts: Part[], end: Date, minutes: number): QueuePoint[] {
  const known = new Map(parts.map((part) => [`${part.what} ${part.part}`, part]));
  const runsIn = (what: Part['what'], part: number) => known.get(`${what} ${part}`)?.runs ?? 0;
  let queued = runsIn('accepted', 0) - runsIn('left', 0);
  let running = runsIn('started', 0) - runsIn('ended', 0);
  return Array.from({ length: POINTS }, (_, index) => {
    const part = index + 1;
    const [begun, ended] = [known.get(`started ${part}`), known.get(`ended ${part}`)];
    queued += runsIn('accepted', part) - runsIn('left', part);
    running += runsIn('started', part) - runsIn('ended', part);
    return {
      ts: new Date(end.getTime() - ((POINTS - part) * minutes * 60_000) / POINTS),
      queued,
      running,
      accepted: runsIn('accepted', part),
      ended: ended?.runs ?? 0,
      wait_p50_seconds: begun?.p50 ?? undefined,
      wait_p95_seconds: begun?.p95 ?? undefined,
      duration_p50_seconds: ended?.p50 ?? undefined,
      duration_p95_seconds: ended?.p95 ?? undefined,
    };
  });
}
