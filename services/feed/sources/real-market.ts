import type { MarketState } from '../market/served-market.ts';
import { SourceFailure } from '../deliveries/source-failure.ts';

/** An import by an operator is noticed within this time. */
const LOOK_AGAIN_MS = 60_000;

/**
 * Sources add days to a real market. Real days among generated ones, or a market of one day, would be neither.
 * @throws SourceFailure refused unless a real market is served
 */
export function requireRealMarket({ version, kind }: MarketState, source: string): void {
  if (version !== '' && kind === 'real') return;
  const served = version === '' ? 'No market is served' : 'The served market is synthetic';
  throw new SourceFailure(
    'refused',
    `${served}, so this source has nothing to add to. Import real data first (saring dataset import), or catch up a span: saring feed run ${source} --from YYYY-MM-DD.`,
    { retryAfterMs: LOOK_AGAIN_MS },
  );
}
