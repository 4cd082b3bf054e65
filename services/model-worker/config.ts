import { bool, str } from 'envalid';
import { integer } from '#platform/configuration/config.ts';
import {
  clickhouseSettings,
  grpcSettings,
  processSettings,
  natsSettings,
} from '#platform/configuration/settings.ts';

export const settings = {
  ...processSettings,
  ...grpcSettings,
  ...natsSettings,
  ...clickhouseSettings,
  RUN_DEPENDENCY_PATIENCE_MS: integer({ min: 0, max: 3_600_000 })({
    default: 120_000,
    desc: 'how many milliseconds a run waits while ClickHouse is unavailable; then it fails and gives that reason',
  }),
  RUNS_AT_ONCE: integer({ min: 1, max: 64 })({
    default: 2,
    desc: 'number of runs that a worker runs at once, each on a thread of its own, besides one that never trains; they share one market in memory',
  }),
  CACHE_DIR: str({
    default: '',
    desc: 'folder in which a worker keeps what it computes from a dataset version, at most 1 GiB, so that it starts faster; empty for none',
  }),
  REUSE_MODELS: bool({
    default: true,
    desc: 'whether a worker keeps trained models instead of training again on the same data; results do not depend on it',
  }),
  TRAINER_THREADS: integer({ min: 1, max: 64 })({
    default: 2,
    desc: 'number of threads that train in parallel in a run, at most one per processor; results do not depend on it',
  }),
};
