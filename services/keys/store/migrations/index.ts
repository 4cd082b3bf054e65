import { apiKey } from './001-api-key.ts';

export const migrations = { '001_api_key': apiKey };
