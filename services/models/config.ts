import { makeValidator } from 'envalid';
import { integer, type Config } from '#shared/config.ts';
import { isCalendarDay } from '#shared/jakarta-time.ts';
import { grpcSettings, logSettings, natsSettings, postgresSettings } from '#shared/settings.ts';

const dayOrEmpty = makeValidator<string>((text) => {
  if (text !== '' && !isCalendarDay(text)) throw new Error('must be a day of the form YYYY-MM-DD');
  return text;
});

export const settings = {
  ...logSettings,
  ...grpcSettings,
  ...natsSettings,
  ...postgresSettings,
  ANALYSIS_DATE_PIN: dayOrEmpty({
    default: '',
    desc: 'latest day a run may analyse, YYYY-MM-DD; later or omitted dates are clamped to it; no pin when empty',
  }),
  RUN_RETENTION_DAYS: integer({ min: 0, max: 36_500 })({
    default: 180,
    desc: 'days a finished run stays in the ledger; 0 keeps it for ever',
  }),
};

export type ModelsConfig = Config<typeof settings>;
