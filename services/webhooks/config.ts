import { makeValidator } from 'envalid';
import { integer, rotatedSecret, type Config } from '#platform/configuration/config.ts';
import { retentionDays } from '#platform/configuration/retention-days.ts';
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
} from '#platform/configuration/settings.ts';
import { rangesOf } from './sending/address-guard.ts';
import { portRangesIn } from './sending/endpoint-url.ts';

/** A text that one of these parses. */
const parsedBy = (parse: (text: string) => unknown) =>
  makeValidator<string>((text) => {
    parse(text);
    return text;
  });

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
  WEBHOOK_ALLOWED_RANGES: parsedBy((text) => rangesOf(rangesIn(text)))({
    default: '',
    desc: 'ranges of addresses, such as `10.1.0.0/16`, that webhooks may reach although they are not public, separated by commas',
  }),
  WEBHOOK_PORTS: parsedBy(portRangesIn)({
    default: '80,443,1024-65535',
    desc: 'ports of the URLs of webhooks, and ranges of them, separated by commas',
  }),
  WEBHOOK_ENDPOINTS_AT_ONCE: integer({ min: 2, max: 10_000 })({
    default: 2_000,
    desc: 'endpoints of webhooks to which a copy delivers at the same time; those that fail or are slow share half of them',
  }),
  WEBHOOK_DELIVERIES_PER_ENDPOINT: integer({ min: 1, max: 100 })({
    default: 4,
    desc: 'deliveries to one endpoint at the same time, while it works',
  }),
  EVENT_RETENTION_DAYS: retentionDays({ least: 4 })({
    default: 30,
    desc: 'days to keep events, with their deliveries to webhooks',
  }),
};

/** The ranges in a value of WEBHOOK_ALLOWED_RANGES. */
export function rangesIn(text: string): string[] {
  return text
    .split(',')
    .map((range) => range.trim())
    .filter((range) => range !== '');
}

export type WebhooksConfig = Config<typeof settings>;
