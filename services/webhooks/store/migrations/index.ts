import { initial } from './001-initial.ts';
import { events } from './002-events.ts';

export const migrations = { '001_initial': initial, '002_events': events };

/** Every table that they create. A backup leaves out a table that is missing here. */
export const tables = ['event', 'event_sequence', 'webhook', 'delivery', 'attempt', 'outbox', 'told_dataset'];
