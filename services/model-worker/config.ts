import { integer, type Config } from '#shared/config.ts';
import { clickhouseSettings, grpcSettings, logSettings, natsSettings } from '#shared/settings.ts';

export const settings = {
  ...logSettings,
  ...grpcSettings,
  ...natsSettings,
  ...clickhouseSettings,
  TRAINER_THREADS: integer({ min: 1, max: 64 })({
    default: 2,
    desc: 'threads that learn at once in a run, no more than there are processors; results do not depend on it',
  }),
};

export type ModelWorkerConfig = Config<typeof settings>;
