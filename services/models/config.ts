import { bool, makeValidator } from 'envalid';
import { integer, secret, type Config } from '#platform/configuration/config.ts';
import { retentionDays } from '#platform/configuration/retention-days.ts';
import { isCalendarDay } from '#foundation/jakarta-time.ts';
import { RESULT_LIMITS } from '#platform/nats/streams.ts';
import {
  grpcSettings,
  processSettings,
  streamSettings,
  operatorSettings,
  postgresSettings,
  serviceAddress,
  serviceToken,
  trustedCallerSettings,
} from '#platform/configuration/settings.ts';

const dayOrEmpty = makeValidator<string>((text) => {
  if (text !== '' && !isCalendarDay(text)) throw new Error('must be a day of the form YYYY-MM-DD');
  return text;
});

export const settings = {
  ...processSettings,
  ...grpcSettings,
  ...trustedCallerSettings,
  ...operatorSettings,
  ...streamSettings,
  ...postgresSettings,
  MARKET_DATA_ADDRESS: serviceAddress('market-data'),
  MARKET_DATA_TOKEN: serviceToken('market-data'),
  USAGE_ADDRESS: serviceAddress('usage'),
  USAGE_TOKEN: serviceToken('usage'),
  ANALYSIS_DATE_PIN: dayOrEmpty({
    default: '',
    desc: 'latest day that a run may analyse, YYYY-MM-DD; it replaces later and omitted dates; no limit when empty',
  }),
  CANARY_SECONDS: integer({ min: 0, max: 86_400 })({
    default: 60,
    desc: 'seconds between two canaries, small runs of each model in turn that show whether runs complete; 0 turns them off',
  }),
  DAILY_RUNS: bool({
    default: true,
    desc: 'whether each model runs once on every new trading day, for the public part of its record and for the fields of its results',
  }),
  RECORD_SECRET: secret({
    desc: 'secret that seals the record of past picks; after a change, earlier entries can no longer be verified',
  }),
  BACKFILL_RETENTION_DAYS: retentionDays({ least: 1 })({
    default: 7,
    desc: 'days to keep a finished backfill and its pages',
  }),
  RESULT_RETENTION_SECONDS: integer({ min: 60, max: 604_800 })({
    default: RESULT_LIMITS.retentionMs / 1_000,
    desc: 'seconds to keep the result of a finished run in memory',
  }),
  RESULT_CEILING: integer({ min: 1, max: 100_000 })({
    default: RESULT_LIMITS.ceiling,
    desc: 'number of results kept in memory, of all keys together; their size is limited too, see docs/operations.md',
  }),
  RUN_RETENTION_DAYS: retentionDays()({
    default: 180,
    desc: 'days to keep the row of a finished run; 0 keeps it for ever',
  }),
};

export type ModelsConfig = Config<typeof settings>;
