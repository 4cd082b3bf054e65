/**
 * Loaded into a gateway before its program, so that each of them has it: with `BENCH_UNMEASURED` nothing of its requests is
 * counted or timed, as if there were no metrics.
 */
import { Counter } from 'prom-client';
import { DurationSeries } from '#shared/operations/duration-histogram.ts';

if (process.env['BENCH_UNMEASURED']) {
  DurationSeries.prototype.observe = () => {};
  Counter.prototype.inc = () => {};
}
