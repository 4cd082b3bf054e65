import { Gauge } from 'prom-client';
import { metricsOf } from '#shared/operations/metrics.ts';
import type { Operations } from '#shared/operations/operations.ts';
import type { Feed } from './feed.ts';

const failing = new Gauge({
  name: 'saring_feed_failing_sources',
  help: 'Sources of market data whose last attempt failed, without those that are paused.',
  registers: [metricsOf('feed')],
});
const lastPublished = new Gauge({
  name: 'saring_feed_source_last_published_timestamp_seconds',
  help: 'When each source of market data last brought something new. None before the first time.',
  labelNames: ['source'],
  registers: [metricsOf('feed')],
});

/** Regularly measures how the sources do. Copies of the feed measure the same. Returns a function that stops it. */
export function measureFeed(operations: Operations, feed: Pick<Feed, 'progress'>): () => Promise<unknown> {
  return operations.measure('sources', [failing, lastPublished], async () => {
    const sources = await feed.progress();
    failing.set(sources.filter(({ isFailing }) => isFailing).length);
    lastPublished.reset();
    for (const { name: source, lastPublishedAt } of sources)
      if (lastPublishedAt) lastPublished.set({ source }, lastPublishedAt.getTime() / 1_000);
  });
}
