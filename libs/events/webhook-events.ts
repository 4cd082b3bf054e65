import { count, data, text, word, type EventType } from './event-type.ts';

const webhook_id = text('Id of the webhook.', 'wh_5f0c6f1e9a3b4d2c8e7f6a5b');

/** What concerns the webhooks of a key. */
export const WEBHOOK_EVENTS = {
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
} as const satisfies Record<string, EventType>;
