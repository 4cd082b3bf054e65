import { count, data, day, orNull, text, word, type EventType } from './event-type.ts';

const market = word('Whether the market is real or generated.', ['real', 'synthetic']);

/** What happens in the market's data, and in the screens that follow it. */
export const MARKET_EVENTS = {
  'screen.changed': {
    words: {
      id: 'Saham masuk ke atau keluar dari sebuah penyaring.',
      en: 'Stocks have entered or left a screen.',
    },
    toldTo: 'its key',
    data: data({
      screen_id: text('Id of the screen.', 'scr_5f0c6f1e9a3b4d2c8e7f6a5b'),
      version: count('Version of the screen.', 1),
      end_user: orNull(text('End user who owns the screen. Null once the end user is erased.', 'user-42')),
      market,
      as_of: day('Trading day of the change.'),
      entered: count(
        'Number of stocks that entered on that day. A correction of the data may take all changes of a day back: both numbers are then 0.',
        2,
      ),
      left: count('Number of stocks that left on that day.', 1),
    }),
  },
  'dataset.published': {
    words: {
      id: 'Data pasar versi baru tersedia.',
      en: 'A new version of the market’s data is served.',
    },
    toldTo: 'data:read',
    data: data({
      dataset_version: text('Version of the dataset.', 'synthetic-20261120-1'),
      market,
      as_of: day('Newest trading day in it.'),
    }),
  },
  'feed.late': {
    words: {
      id: 'Data satu hari bursa terlambat.',
      en: 'The data of a trading day is late.',
    },
    toldTo: 'data:read',
    data: data({
      market,
      day: day('Trading day that is missing. Each day is told once.'),
      data_as_of: day('Newest trading day that is there.'),
      behind_trading_days: count('Number of trading days that are due and missing.', 1),
    }),
  },
} as const satisfies Record<string, EventType>;
