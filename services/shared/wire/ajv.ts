import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { isCalendarDay } from '../jakarta-time.ts';
import { MOMENT_FORMATS, momentOf } from './moment.ts';

/** A new Ajv with the settings of every validation of requests; tests use it for answers too. */
export function newAjv(): Ajv {
  const ajv = new Ajv({ allErrors: true, verbose: true, useDefaults: true, allowUnionTypes: true });
  addFormats.default(ajv);
  ajv.addFormat('trading-date', (text) => text === 'today' || isCalendarDay(text));
  for (const format of MOMENT_FORMATS) ajv.addFormat(format, (text) => momentOf(format, text) !== undefined);
  return ajv;
}
