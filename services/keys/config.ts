import { integer, secret } from '#shared/config/config.ts';
import {
  callerSettings,
  grpcSettings,
  logSettings,
  natsSettings,
  operatorSettings,
  postgresSettings,
} from '#shared/config/settings.ts';

export const settings = {
  ...logSettings,
  ...grpcSettings,
  ...callerSettings,
  ...operatorSettings,
  ...natsSettings,
  ...postgresSettings,
  KEY_PEPPER: secret({ desc: 'pepper under which key secrets are hashed; changing it revokes every key' }),
  DEFAULT_RATE_LIMIT: integer({ min: 1, max: 1_000_000 })({
    default: 60,
    desc: 'requests per minute of a key issued without a limit of its own',
  }),
};
