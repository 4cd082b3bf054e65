import { str } from 'envalid';
import type { Config } from '#shared/config.ts';
import { grpcSettings, logSettings, postgresSettings } from '#shared/settings.ts';

export const settings = {
  ...logSettings,
  ...grpcSettings,
  ...postgresSettings,
  CONSENT_DOCUMENTS: str({
    default: '',
    desc: 'folder of your own disclaimers, laid out as services/consent/documents is, which is read when empty',
  }),
};

export type ConsentConfig = Config<typeof settings>;
