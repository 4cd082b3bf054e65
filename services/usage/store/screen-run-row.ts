import { ScreenRunRecorded } from '#proto/saring/events/v1/usage.ts';
import { columnDay, columnTime, decoded, PoisonMessage } from './ledger-row.ts';

/** A row of `usage.screen_run` as inserted. */
export interface ScreenRunRow {
  event_id: string;
  ts: string;
  api_key_id: string;
  end_user: string;
  kind: string;
  /** Empty for a preview. */
  screen_id: string;
  version: number;
  rules_text: string;
  as_of: string;
  matched: number;
  duration_seconds: number;
  dataset_version: string;
  request_id: string;
}

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
