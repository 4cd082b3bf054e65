import { initial } from './001-initial.ts';
import { events } from './002-events.ts';
import { deletedWebhooks } from './003-deleted-webhooks.ts';
import { olderSecrets } from './004-older-secrets.ts';

export const migrations = {
  '001_initial': initial,
  '002_events': events,
  '003_deleted_webhooks': deletedWebhooks,
  '004_older_secrets': olderSecrets,
};

/** Every table that they create. A backup leaves out a table that is missing here. */
export const tables = ['event', 'event_sequence', 'webhook', 'delivery', 'attempt', 'outbox', 'told_dataset'];
