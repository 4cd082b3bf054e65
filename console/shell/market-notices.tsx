import type { Schemas } from '#client/index.ts';
import { isLive, useEvents } from '#console/session/live-events.ts';
import { client, signedIn } from '#console/session/session.ts';
import { day, moment } from '#console/words/formats.ts';
import { useRefreshing, useRetrying } from '../parts/loading.tsx';
import { Synthetic } from '../parts/source.tsx';
import { say } from './words.ts';

/** A new day arrives once a day, and in a demonstration every few seconds. */
const NOTICES_REFRESH_MS = 15_000;
/** While events tell of new and late days: no event tells of the return to an earlier dataset. */
const NOTICES_REFRESH_LIVE_MS = 60_000;

/** Says on every page which market it shows, if it is not the real one, and that days are missing. */
export function MarketNotices() {
  const key = useRetrying(
    async (signal) => (signedIn.value === 'application' ? client.value.key({ signal }) : undefined),
    [client.value],
  );
  if (key.isBusy && !key.value) return null;
  // A test key sees another market than the one whose state health tells.
  return key.value?.test ? <MadeUp about={say.testMarket} /> : <ServedMarketNotices />;
}

function ServedMarketNotices() {
  const { value, reload } = useRefreshing(
    (signal) => client.value.health({ signal }),
    [client.value],
    isLive.value ? NOTICES_REFRESH_LIVE_MS : NOTICES_REFRESH_MS,
  );
  useEvents(['dataset.published', 'feed.late'], reload);
  if (!value) return null;
  const { synthetic, synthetic_brokers, freshness } = value;
  return (
    <>
      {(synthetic || synthetic_brokers) && (
        <MadeUp about={synthetic ? say.synthetic : say.syntheticBrokers} />
      )}
      <FreshnessNotice of={freshness} isOperator={signedIn.value === 'operator'} />
    </>
  );
}

function MadeUp({ about }: { about: string }) {
  return (
    <p class="made-up">
      <Synthetic /> {about}
    </p>
  );
}

/** Says since when trading days are missing, and why, which day is partial, and which lack inside the market. Shows nothing while all are there. */
function FreshnessNotice({ of, isOperator }: { of: Schemas['Freshness'] | null; isOperator: boolean }) {
  if (!of) return null;
  const { data_as_of, behind_trading_days, behind_since, reason } = of;
  const { missing_days, missing_day_count, unlisted_year, partial_day } = of;
  const { daysMissing, dayPartial, holes, unlistedYear } = say;
  const said = [
    behind_trading_days > 0 &&
      `${daysMissing(day(data_as_of), behind_trading_days, moment(behind_since))} ${reason ?? ''}`.trim(),
    partial_day !== null && dayPartial(day(partial_day)),
    missing_day_count > 0 && holes(missing_day_count, missing_days.map(day).join(', ')),
    isOperator && unlisted_year !== null && unlistedYear(unlisted_year),
  ].filter((text) => text !== false);
  if (said.length === 0) return null;
  return (
    <p class="behind" role="status">
      {said.join(' ')}
    </p>
  );
}
