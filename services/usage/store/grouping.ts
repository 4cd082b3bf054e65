import type { Grouping } from '#proto/saring/wire/v1/words.ts';

/** The SQL for what the runs of a group have in common. */
export const GROUPINGS: Record<Grouping, string> = {
  model: 'model_id',
  end_user: 'end_user',
  status: 'status',
  channel: 'channel',
  day: `toDate(ts, 'Asia/Jakarta')`,
  api_key: 'api_key_id',
  actor: 'actor',
};
