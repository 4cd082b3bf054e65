/**
 * Loaded into every gateway of the bench before its program. With `BENCH_UNMEASURED` it disables counters and timers, as if
 * there were no metrics.
 */
import { Counter } from 'prom-client';
import { DurationSeries } from '#platform/operations/duration-histogram.ts';

if (process.env['BENCH_UNMEASURED']) {
  DurationSeries.prototype.observe = () => {};
  Counter.prototype.inc = () => {};
}
