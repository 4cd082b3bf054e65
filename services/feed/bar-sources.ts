import type { SourceState } from '#proto/saring/events/v1/feeds.ts';
import type { FeedSource } from '#proto/saring/feed/v1/feed.ts';

/** The sources that bring bars, as the heartbeat tells them. Broker rows do not make a market newer. */
export function barSources(sources: readonly FeedSource[]): SourceState[] {
  return sources
    .filter(({ format }) => format !== 'broker_rows')
    .map(({ name, format, state, reason }) => ({ name, format, state, reason }));
}
