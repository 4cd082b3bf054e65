import { Counter } from 'prom-client';
import { RUNNABLE } from '#models/registry.ts';
import { metricsOf } from '#platform/operations/metrics.ts';
import { RUN_STATES } from './run-states.ts';
import type { RunRow } from './tables.ts';

const reached = new Counter({
  name: 'saring_runs_total',
  help: 'Runs that reached a state, as this process wrote it: the sum over all copies of the service counts each once.',
  labelNames: ['model', 'state'],
  registers: [metricsOf('models')],
});

// Prometheus sees no increase when a counter appears with its first failure, so an alert would miss it. Start at 0.
for (const { id: model } of RUNNABLE) for (const state of RUN_STATES) reached.inc({ model, state }, 0);

export function countRun({ model_id, status }: Pick<RunRow, 'model_id' | 'status'>): void {
  reached.inc({ model: model_id, state: status });
}
