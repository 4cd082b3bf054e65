import { integer, secret, type Config } from '#shared/config.ts';
import {
  grpcSettings,
  logSettings,
  natsSettings,
  operatorSettings,
  postgresSettings,
} from '#shared/settings.ts';

export const settings = {
  ...logSettings,
  ...grpcSettings,
  ...operatorSettings,
  ...natsSettings,
  ...postgresSettings,
  KEY_PEPPER: secret({ desc: 'pepper under which key secrets are hashed; changing it revokes every key' }),
  DEFAULT_RATE_LIMIT: integer({ min: 1, max: 1_000_000 })({
    default: 60,
    desc: 'requests per minute of a key issued without a limit of its own',
  }),
};

export type KeysConfig = Config<typeof settings>;
