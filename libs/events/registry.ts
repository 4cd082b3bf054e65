import type { EventType as TypeName } from '#proto/saring/wire/v1/words.ts';
import { count, data, type DataOf, day, type EventType, orNull, text, time, word } from './event-type.ts';

export type { TypeName };

const ofRun = {
  job_id: text('Job id of the run.', 'job_5f0c6f1e9a3b4d2c8e7f6a5b'),
  model_id: text('Model id.', 'model_f_combined'),
  end_user: orNull(
    text('End-user id, as the application asserted it. Null once the end user is erased.', 'user-42'),
  ),
  as_of: orNull(day('Trading day that was analysed. Null if the run ended before that was known.')),
};

const error_code = orNull(
  text('Why it ended so, as a word for programs. Null if unknown.', 'insufficient_data'),
);

const market = word('Whether the market is real or generated.', ['real', 'synthetic']);

/** The days before the end of a key at which it is told, longest first. */
export const EXPIRY_NOTICE_DAYS = [14, 7, 1] as const;

const webhook_id = text('Id of the webhook.', 'wh_5f0c6f1e9a3b4d2c8e7f6a5b');

/** Every type of event. The names are also words of proto/, in which requests filter by them. */
export const EVENT_TYPES = {
  // Runs that a key has submitted, itself or by a schedule. The days of a backfill are no runs of their own.
  'run.succeeded': {
    words: {
      id: 'Sebuah proses model selesai dan hasilnya dapat diambil.',
      en: 'A model run has succeeded, and its result can be fetched.',
    },
    toldTo: 'its key',
    data: data({ ...ofRun, pick_count: orNull(count('Number of picks. Null if unknown.', 5)) }),
  },
  'run.failed': {
    words: {
      id: 'Sebuah proses model gagal atau dibatalkan.',
      en: 'A model run has failed or was cancelled.',
    },
    toldTo: 'its key',
    data: data({ ...ofRun, error_code }),
  },
  'run.interrupted': {
    words: {
      id: 'Sebuah proses model terhenti sebelum selesai dan boleh dijalankan ulang.',
      en: 'A model run stopped before its end, and can be submitted again.',
    },
    toldTo: 'its key',
    data: data({ ...ofRun, error_code }),
  },
  // What happens in the market's data, and in the screens that follow it.
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
      as_of: day('Newest whole trading day in it.'),
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
      data_as_of: day('Newest whole trading day that is there.'),
      behind_trading_days: count('Number of trading days that are due and missing.', 1),
    }),
  },
  // What concerns a key itself.
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
      budget: word('The budget: milliseconds of processor time in a minute.', ['processor_ms_per_minute']),
      limit: count('How much the budget allows.', 60_000),
      window_began_at: time('Begin of the hour, in which each budget is told once.'),
    }),
  },
  // What concerns the webhooks of a key.
  'webhook.disabled': {
    words: {
      id: 'Sebuah webhook dimatikan karena penerimanya gagal terlalu lama.',
      en: 'A webhook was disabled, because its receiver has failed for too long.',
    },
    toldTo: 'its key',
    data: data({
      webhook_id,
      reason: word('Why: it failed for days, or the receiver answered 410.', ['failing', 'gone']),
      failures: count('Failed attempts in a row.', 40),
    }),
  },
  'webhook.test': {
    words: {
      id: 'Pesan uji, atas permintaan.',
      en: 'A test message, sent on request.',
    },
    toldTo: 'its key',
    data: data({ webhook_id }),
  },
} as const satisfies Record<TypeName, EventType>;

/** The data of an event of this type. */
export type EventData<Name extends TypeName> = DataOf<(typeof EVENT_TYPES)[Name]>;

/** Types that concern one key. */
export type TypeOfKey = {
  [Name in TypeName]: (typeof EVENT_TYPES)[Name]['toldTo'] extends 'its key' ? Name : never;
}[TypeName];

/** Types that every key of some scope is told. */
export type TypeOfMany = Exclude<TypeName, TypeOfKey>;

export function isEventType(text: string): text is TypeName {
  return Object.hasOwn(EVENT_TYPES, text);
}
