import { makeValidator } from 'envalid';
import { integer } from '#shared/config/config.ts';
import { isCalendarDay } from '#shared/jakarta-time.ts';
import {
  grpcSettings,
  logSettings,
  natsSettings,
  postgresSettings,
  serviceAddress,
  serviceToken,
  trustedCallerSettings,
} from '#shared/config/settings.ts';

const dayOrEmpty = makeValidator<string>((text) => {
  if (text !== '' && !isCalendarDay(text)) throw new Error('must be a day of the form YYYY-MM-DD');
  return text;
});

export const settings = {
  ...logSettings,
  ...grpcSettings,
  ...trustedCallerSettings,
  ...natsSettings,
  ...postgresSettings,
  MARKET_DATA_ADDRESS: serviceAddress('market-data'),
  USAGE_ADDRESS: serviceAddress('usage'),
  USAGE_TOKEN: serviceToken('usage'),
  ANALYSIS_DATE_PIN: dayOrEmpty({
    default: '',
    desc: 'latest day a run may analyse, YYYY-MM-DD; later or omitted dates are clamped to it; no pin when empty',
  }),
  RUN_RETENTION_DAYS: integer({ min: 0, max: 36_500 })({
    default: 180,
    desc: 'days for which the row of a finished run is kept; 0 keeps it for ever',
  }),
};
