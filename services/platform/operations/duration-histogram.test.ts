import fc from 'fast-check';
import { Histogram, Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { BUCKETS, DurationHistogram } from './duration-histogram.ts';

const about = { name: 'took_seconds', help: 'How long it took.', labelNames: ['method', 'route'] };

test('the metrics equal those of a prom-client histogram', async () => {
  const observation = fc.record({
    method: fc.constantFrom('get', 'post'),
    route: fc.constantFrom('/a', '/a/{id}', 'a "quoted" one'),
    seconds: fc.oneof(fc.double({ min: 0, max: 100, noNaN: true }), fc.constantFrom(...BUCKETS)),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(observation, { minLength: 1, maxLength: 40 }), async (observations) => {
      const [ours, theirs] = [new Registry(), new Registry()];
      const histogram = new DurationHistogram({ ...about, registry: ours });
      const reference = new Histogram({ ...about, buckets: [...BUCKETS], registers: [theirs] });
      for (const { method, route, seconds } of observations) {
        histogram.of(method, route).observe(seconds);
        reference.observe({ method, route }, seconds);
      }
      expect(await ours.metrics()).toBe(await theirs.metrics());
    }),
  );
});

test('a series that the caller keeps continues to count', async () => {
  const registry = new Registry();
  const series = new DurationHistogram({ ...about, registry }).of('get', '/a');
  series.observe(0.002);
  series.observe(70);
  expect(await registry.metrics()).toContain('took_seconds_count{method="get",route="/a"} 2');
});
