import { ScreenRunRecorded } from '#proto/saring/events/v1/usage.ts';
import { columnDay, columnTime, decoded, PoisonMessage } from './ledger-row.ts';

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
