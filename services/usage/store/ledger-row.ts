import { ScreenRunRecorded, UsageRecorded } from '#proto/saring/events/v1/usage.ts';
import type { RecordedStatus } from '#proto/saring/wire/v1/words.ts';
import { cutText } from '#foundation/text/cut-text.ts';
import { isCalendarDay } from '#foundation/jakarta-time.ts';

/** The state_version of each status. ReplacingMergeTree keeps the row with the highest version. */
export const STATE_VERSION = { started: 1, succeeded: 2, failed: 2, interrupted: 2 } satisfies Record<
  RecordedStatus,
  number
>;

/** A message that can never become a row. Redelivery does not help. */
export class PoisonMessage extends Error {
  override readonly name = 'PoisonMessage';
}

/** The range that DateTime64 and Date can hold. A time outside it means a broken clock or a broken publisher. */
const EARLIEST = Date.UTC(2000, 0, 1);
const LATEST = Date.UTC(2100, 0, 1);

/**
 * A row of `usage.event` as inserted: columns by name, times as text that ClickHouse can parse.
 * @throws PoisonMessage with the reason.
 */
export function readUsageMessage(bytes: Uint8Array) {
  const { summary, ...recorded } = decoded(UsageRecorded, bytes);
  for (const field of ['event_id', 'api_key_id', 'model_id', 'job_id'] as const) {
    if (recorded[field] === '') throw new PoisonMessage(`${field} is empty`);
  }
  const { status, duration_seconds } = recorded;
  if (!isStatus(status)) throw new PoisonMessage(`status is '${cutText(status, 40)}'`);
  if (!(duration_seconds >= 0 && duration_seconds < Infinity)) {
    throw new PoisonMessage(`duration_seconds is ${duration_seconds}`);
  }
  return {
    ...recorded,
    ts: columnTime(recorded.ts),
    // A message without an actor was caused by the key.
    actor: recorded.actor || recorded.api_key_id,
    params: JSON.stringify(recorded.params ?? {}),
    ...columnsOfSummary(summary),
    // A message from before these fields existed may have waited in the stream since then.
    dataset_version: recorded.dataset_version ?? '',
    dataset_kind: recorded.dataset_kind ?? '',
    error_code: recorded.error_code ?? '',
    state_version: STATE_VERSION[status],
  };
}

/** A row of `usage.screen_run` as inserted. The id of the screen is empty for a preview. */
type ScreenRunRow = Omit<ScreenRunRecorded, 'ts'> & { ts: string };

/** @throws PoisonMessage with the reason. */
export function readScreenRunMessage(bytes: Uint8Array): ScreenRunRow {
  const recorded = decoded(ScreenRunRecorded, bytes);
  for (const field of ['event_id', 'api_key_id', 'kind'] as const)
    if (recorded[field] === '') throw new PoisonMessage(`${field} is empty`);
  const { matched, duration_seconds } = recorded;
  if (matched < 0) throw new PoisonMessage(`matched is ${matched}`);
  if (!(duration_seconds >= 0 && duration_seconds < Infinity))
    throw new PoisonMessage(`duration_seconds is ${duration_seconds}`);
  return { ...recorded, ts: columnTime(recorded.ts), as_of: columnDay('as_of', recorded.as_of) };
}

function isStatus(text: string): text is RecordedStatus {
  return Object.hasOwn(STATE_VERSION, text);
}

/** @throws PoisonMessage if the bytes are no such message */
function decoded<Message>(
  type: { $type?: string; decode: (bytes: Uint8Array) => Message },
  bytes: Uint8Array,
): Message {
  try {
    return type.decode(bytes);
  } catch (error) {
    throw new PoisonMessage(`it cannot be decoded: ${(error as Error).message}`, { cause: error });
  }
}

/** @throws PoisonMessage */
export function columnTime(ts: Date | undefined): string {
  const time = ts?.getTime() ?? NaN;
  if (!(time >= EARLIEST && time < LATEST)) throw new PoisonMessage(`ts is ${ts ? time : 'absent'}`);
  return new Date(time).toISOString().replace('T', ' ').replace('Z', '');
}

function columnsOfSummary(summary: UsageRecorded['summary']) {
  if (!summary) return { pick_count: null, tickers: [], target_date: null };
  const { pick_count, tickers, target_date } = summary;
  if (pick_count < 0) throw new PoisonMessage(`pick_count is ${pick_count}`);
  if (target_date === '') return { pick_count, tickers, target_date: null };
  return { pick_count, tickers, target_date: columnDay('target_date', target_date) };
}

/** @throws PoisonMessage */
function columnDay(name: string, day: string): string {
  const time = isCalendarDay(day) ? Date.parse(day) : NaN;
  if (time >= EARLIEST && time < LATEST) return day;
  throw new PoisonMessage(`${name} is '${cutText(day, 40)}'`);
}
