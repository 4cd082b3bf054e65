import { event } from './001-event.ts';
import { runV1 } from './002-run-v1.ts';

export const migrations = [event, runV1];
