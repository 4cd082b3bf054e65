import { count, data, day, orNull, text, type EventType } from './event-type.ts';

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

/** Runs that a key has submitted, itself or by a schedule. The days of a backfill are no runs of their own. */
export const RUN_EVENTS = {
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
} as const satisfies Record<string, EventType>;
