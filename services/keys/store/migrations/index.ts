import { initial } from './004-initial.ts';

export const migrations = { '004_initial': initial };

/** Every table that they create. A backup leaves out a table that is missing here. */
export const tables = ['api_key', 'key_action', 'key_secret'];
