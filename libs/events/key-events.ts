import { count, data, text, time, word, type EventType } from './event-type.ts';

/** The days before the end of a key at which it is told, longest first. */
export const EXPIRY_NOTICE_DAYS = [14, 7, 1] as const;

/** What concerns a key itself. */
export const KEY_EVENTS = {
  'key.expiring': {
    words: {
      id: 'Kunci API akan segera berakhir.',
      en: 'The API key expires soon.',
    },
    toldTo: 'its key',
    data: data({
      api_key_id: text('Id of the key.', 'key_5f0c6f1e9a3b4d2c8e7f6a5b'),
      expires_at: time('When the key expires.'),
      days_left: count(
        `Days until then, rounded up. Told once each when ${EXPIRY_NOTICE_DAYS.join(', ')} are left.`,
        14,
      ),
    }),
  },
  'budget.spent': {
    words: {
      id: 'Kunci API telah menghabiskan jatahnya.',
      en: 'The API key has used up a budget.',
    },
    toldTo: 'its key',
    data: data({
      budget: word('The budget: days for which screens are evaluated in a minute.', [
        'screen_days_per_minute',
      ]),
      limit: count('How much the budget allows.', 3_000),
      window_began_at: time('Begin of the hour, in which each budget is told once.'),
    }),
  },
} as const satisfies Record<string, EventType>;
