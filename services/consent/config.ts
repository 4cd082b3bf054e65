import type { Config } from '#shared/config.ts';
import { grpcSettings, logSettings, postgresSettings } from '#shared/settings.ts';

export const settings = {
  ...logSettings,
  ...grpcSettings,
  ...postgresSettings,
};

export type ConsentConfig = Config<typeof settings>;
