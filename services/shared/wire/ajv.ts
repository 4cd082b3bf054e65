import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { isCalendarDay } from '../jakarta-time.ts';

/** A new Ajv with the settings of every validation of requests; tests use it for answers too. */
export function newAjv(): Ajv {
  const ajv = new Ajv({ allErrors: true, verbose: true, useDefaults: true, allowUnionTypes: true });
  addFormats.default(ajv);
  ajv.addFormat('trading-date', (text) => text === 'today' || isCalendarDay(text));
  return ajv;
}
