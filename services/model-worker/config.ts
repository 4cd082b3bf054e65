import { bool } from 'envalid';
import { integer } from '#shared/config/config.ts';
import { clickhouseSettings, grpcSettings, processSettings, natsSettings } from '#shared/config/settings.ts';

export const settings = {
  ...processSettings,
  ...grpcSettings,
  ...natsSettings,
  ...clickhouseSettings,
  RUN_DEPENDENCY_PATIENCE_MS: integer({ min: 0, max: 3_600_000 })({
    default: 120_000,
    desc: 'how long a run waits for a ClickHouse that is away, after which it fails and says so',
  }),
  REUSE_MODELS: bool({
    default: true,
    desc: 'whether a worker keeps what it has learnt and does not learn again from the same numbers; results do not depend on it',
  }),
  TRAINER_THREADS: integer({ min: 1, max: 64 })({
    default: 2,
    desc: 'threads that learn at once in a run, no more than there are processors; results do not depend on it',
  }),
};
