import { integer } from '#platform/configuration/config.ts';
import {
  calendarSettings,
  callerSettings,
  clickhouseSettings,
  cursorSettings,
  generatedMarketSettings,
  grpcSettings,
  processSettings,
  streamSettings,
  operatorSettings,
} from '#platform/configuration/settings.ts';

export const settings = {
  ...processSettings,
  ...grpcSettings,
  ...operatorSettings,
  ...callerSettings,
  ...streamSettings,
  ...clickhouseSettings,
  ...cursorSettings,
  ...calendarSettings,
  ...generatedMarketSettings,
  FIELD_MEMORY_MIB: integer({ min: 16, max: 16_384 })({
    default: 256,
    desc: 'mebibytes of computed fields of stocks that are kept for screens; a field of five years takes about 5',
  }),
  SAMPLE_TICKERS: integer({ min: 1, max: 1_000 })({
    default: 300,
    desc: 'number of tickers in a generated market, unless the call sets it',
  }),
  SAMPLE_DAYS: integer({ min: 30, max: 2_500 })({
    default: 1_000,
    desc: 'number of trading days in a generated market, unless the call sets it',
  }),
};
