import type { FeedConfig } from '../config.ts';
import { createSources, type SourcesDependencies } from './create-sources.ts';
import { readDefinitions } from './definition.ts';
import { GeneratorSource } from './generator.ts';
import type { Source } from './source.ts';

type SourceSettings = Pick<FeedConfig, 'FEED_SOURCES' | 'GENERATED_MARKET_PACE' | 'SYNTHETIC_DAY_SECONDS'>;

/**
 * Every source of the feed: the generator, unless it stands still, and those of the file that FEED_SOURCES names.
 * @throws ConfigError naming every field of the file that is wrong
 */
export async function declaredSources(
  { FEED_SOURCES, GENERATED_MARKET_PACE, SYNTHETIC_DAY_SECONDS }: SourceSettings,
  dependencies: SourcesDependencies,
): Promise<Source[]> {
  const definitions = FEED_SOURCES === '' ? [] : await readDefinitions(FEED_SOURCES);
  const declared = createSources(definitions, dependencies);
  if (GENERATED_MARKET_PACE === 'off') return declared;
  const pace = GENERATED_MARKET_PACE === 'calendar' ? 'calendar' : { dayMs: SYNTHETIC_DAY_SECONDS * 1_000 };
  return [new GeneratorSource(pace, dependencies.calendar), ...declared];
}
