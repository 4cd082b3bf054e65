import { Counter } from 'prom-client';
import type { RunRow } from './tables.ts';

const reached = new Counter({
  name: 'saring_runs_total',
  help: 'Runs that reached a state, as this process wrote it: the sum over all copies of the service counts each once.',
  labelNames: ['model', 'state'],
});

/** Counts a change of a run's state that was written. */
export function countRun({ model_id, status }: Pick<RunRow, 'model_id' | 'status'>): void {
  reached.inc({ model: model_id, state: status });
}
