import { submitRun } from '#support/jobs.ts';
import type { Rest } from '#support/rest.ts';
import { quantile } from './quantiles.ts';
import type { Figure } from './report.ts';

const RUNS = 40;
const WARM_UP = 4;

/** Submit to inline result of `confluence_filter` over REST, one run at a time. */
export async function runLatencyFigures(rest: Rest): Promise<Figure[]> {
  const samples: number[] = [];
  for (let run = -WARM_UP; run < RUNS; run++) {
    const begun = performance.now();
    const job = await submitRun(rest, {}, '?wait=30');
    if (job.status !== 'succeeded') throw new Error(`a run ended ${job.status}: ${job.error?.message}`);
    if (run >= 0) samples.push(performance.now() - begun);
  }
  const ms = (q: number) => quantile(samples, q).toFixed(0);
  return [
    {
      what: `confluence_filter, warm, submit to result (${RUNS} runs, p50 / p90 / max)`,
      measured: `${ms(0.5)} / ${ms(0.9)} / ${ms(1)} ms`,
      bar: '< 300 ms',
    },
  ];
}
