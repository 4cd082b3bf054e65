import { run } from './001-run.ts';

export const migrations = { '001_run': run };
