/** What runs can be counted by, with the SQL for what a group has in common. */
export const GROUPINGS = {
  model: 'model_id',
  end_user: 'end_user',
  status: 'status',
  channel: 'channel',
  day: `toDate(ts, 'Asia/Jakarta')`,
  api_key: 'api_key_id',
  actor: 'actor',
} as const;

export type Grouping = keyof typeof GROUPINGS;

/** What a key may count its own runs by: the rest tells of identities that it does not see. */
export const OWN_GROUPINGS: readonly Grouping[] = ['model', 'end_user', 'status', 'channel', 'day'];
export const ALL_GROUPINGS = Object.keys(GROUPINGS) as Grouping[];
