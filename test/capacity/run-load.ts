import { submitRunOf } from '../support/fleets/jobs.ts';
import type { Rest } from '../support/fleets/rest.ts';
import { quantile } from '../bench/quantiles.ts';

export interface RunLoad {
  /** Runs a second, from submission to result. */
  rate: number;
  p50Ms: number;
  p90Ms: number;
}

/** Clients that each submit a run, wait for its result and submit the next; `paramsOf` says of the so-manieth run with what. */
export async function runsOn(
  rest: Rest,
  model: string,
  { clients, seconds, paramsOf }: { clients: number; seconds: number; paramsOf: (run: number) => object },
): Promise<RunLoad> {
  const times: number[] = [];
  let submitted = 0;
  const begun = performance.now();
  const endsAt = begun + seconds * 1_000;
  const client = async () => {
    while (performance.now() < endsAt) {
      const at = performance.now();
      const job = await submitRunOf(rest, model, paramsOf(submitted++), '?wait=60');
      if (job.status !== 'succeeded') throw new Error(`a run of ${model} ended ${job.status}`);
      times.push(performance.now() - at);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  const elapsed = (performance.now() - begun) / 1_000;
  return { rate: times.length / elapsed, p50Ms: quantile(times, 0.5), p90Ms: quantile(times, 0.9) };
}
