import { integer, rotatedSecret, type Config } from '#shared/config/config.ts';
import {
  cursorSettings,
  grpcSettings,
  natsSettings,
  operatorSettings,
  postgresSettings,
  processSettings,
  serviceAddress,
  serviceToken,
  trustedCallerSettings,
} from '#shared/config/settings.ts';

export const settings = {
  ...processSettings,
  ...grpcSettings,
  ...trustedCallerSettings,
  ...operatorSettings,
  ...postgresSettings,
  ...cursorSettings,
  ...natsSettings,
  KEYS_ADDRESS: serviceAddress('keys'),
  KEYS_TOKEN: serviceToken('keys'),
  MARKET_DATA_ADDRESS: serviceAddress('market-data'),
  WEBHOOK_SECRET_KEY: rotatedSecret({
    desc: 'key under which the secrets of webhooks are encrypted; several are separated by commas: the first encrypts, and all decrypt',
  }),
  WEBHOOKS_PER_KEY: integer({ min: 1, max: 1_000 })({
    default: 20,
    desc: 'webhooks that a key may own',
  }),
  EVENT_RETENTION_DAYS: integer({ min: 3, max: 36_500 })({
    default: 30,
    desc: 'days to keep events, with their deliveries to webhooks',
  }),
};

export type WebhooksConfig = Config<typeof settings>;
