import { collectGarbage } from '#shared/process/collect-garbage.ts';
import type { Logger } from '#shared/logger.ts';
import { DatasetInUse } from './dataset-in-use.ts';
import { marketLoader } from './load-market.ts';
import { MarketOverviews } from './market-overviews.ts';
import { SwitchPause } from './switch-pause.ts';

/** The dataset that answers, none yet, and its overviews, which are computed before it answers. */
export function marketInMemory(
  clickhouseUrl: string,
  log: Logger,
): { inUse: DatasetInUse; overviews: MarketOverviews } {
  const overviews = new MarketOverviews();
  const pause = new SwitchPause(log);
  const inUse = new DatasetInUse({
    load: pause.from(marketLoader(clickhouseUrl)),
    log,
    prepare: ({ panel }) => overviews.prepare(panel),
    onReplaced: pause.until(collectGarbage),
  });
  return { inUse, overviews };
}
