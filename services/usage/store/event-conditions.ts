/** Whose runs to read: those of one key, which no other filter can widen, or those of every key. */
export type Reach = { apiKeyId: string } | 'every key';

/** Selects runs. `since` is inclusive, `until` exclusive. */
export interface EventFilter {
  of: Reach;
  channel?: string | undefined;
  endUser?: string | undefined;
  modelId?: string | undefined;
  /** Only of runs of screens, like the next one. */
  screenId?: string | undefined;
  kind?: string | undefined;
  status?: string | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
}

/** Where a page ends: the sort key of its last event. */
export interface EventPosition {
  ts: Date;
  event_id: string;
}

/** Where the runs of a kind are read. Every method throws usage_unavailable if the ledger cannot be read. */
export interface RecordedRuns<Run extends EventPosition> {
  /** The newest runs that match and come after the position: at most `count`, newest first. */
  newest(
    filter: EventFilter,
    after: EventPosition | undefined,
    count: number,
    signal: AbortSignal,
  ): Promise<Run[]>;
  count(filter: EventFilter, signal: AbortSignal): Promise<number>;
}

/** SQL for `PREWHERE lasting WHERE passing`. */
export interface Conditions {
  /**
   * On columns that are the same in every state of a run. FINAL then reads the other columns only for matching runs.
   */
  lasting: string;
  /** On columns that differ between the states of a run. Applied before FINAL, they would match replaced states. */
  passing: string;
  /** Values of the placeholders in both. */
  params: Record<string, unknown>;
}

/** The end of DateTime64. Later times would wrap around. */
const LATEST_MS = Date.UTC(2299, 11, 31);

type Condition = [sql: string, params: Record<string, unknown> | undefined];

/** The filter in SQL. With a position: only events after it, in newest-first order. */
export function conditionsOf(filter: EventFilter, after?: EventPosition): Conditions {
  const { of, channel, endUser, modelId, screenId, kind, status, since, until } = filter;
  const lasting: Condition[] = [
    ['api_key_id = {api_key_id:String}', of === 'every key' ? undefined : { api_key_id: of.apiKeyId }],
    ['channel = {channel:String}', channel === undefined ? undefined : { channel }],
    ['end_user = {end_user:String}', endUser === undefined ? undefined : { end_user: endUser }],
    ['model_id = {model_id:String}', modelId === undefined ? undefined : { model_id: modelId }],
    ['screen_id = {screen_id:String}', screenId === undefined ? undefined : { screen_id: screenId }],
    ['kind = {kind:String}', kind === undefined ? undefined : { kind }],
    [`ts >= ${moment('since')}`, since && { since: epochMs(since) }],
    [`ts < ${moment('until')}`, until && { until: epochMs(until) }],
    // The first half lets ClickHouse skip granules; the second half is the actual condition.
    [
      `ts <= ${moment('after_ts')} AND (ts, event_id) < (${moment('after_ts')}, {after_id:String})`,
      after && { after_ts: epochMs(after.ts), after_id: after.event_id },
    ],
  ];
  const passing: Condition[] = [['status = {status:String}', status === undefined ? undefined : { status }]];
  return {
    lasting: joined(lasting),
    passing: joined(passing),
    params: Object.assign(
      {},
      ...[...lasting, ...passing].map(([, params]) => params),
    ) as Conditions['params'],
  };
}

function joined(conditions: Condition[]): string {
  const wanted = conditions.filter(([, params]) => params !== undefined);
  return wanted.map(([sql]) => sql).join(' AND ') || 'true';
}

/** SQL for a time that is passed as milliseconds since 1970. */
function moment(name: string): string {
  return `fromUnixTimestamp64Milli({${name}:Int64}, 'UTC')`;
}

function epochMs(ts: Date): number {
  return Math.min(Math.max(ts.getTime(), 0), LATEST_MS);
}
