import type { Config } from '#shared/config.ts';
import { clickhouseSettings, grpcSettings, logSettings, natsSettings } from '#shared/settings.ts';

export const settings = {
  ...logSettings,
  ...grpcSettings,
  ...natsSettings,
  ...clickhouseSettings,
};

export type ModelWorkerConfig = Config<typeof settings>;
