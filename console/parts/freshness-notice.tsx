import type { Schemas } from '#client/index.ts';
import { day, moment } from '#console/words/formats.ts';
import { shell } from '#console/words/shell.ts';

/** Says since when trading days are missing, and why. Shows nothing while the market is up to date, or that is not known. */
export function FreshnessNotice({ of }: { of: Schemas['Freshness'] | null }) {
  if (!of || of.behind_trading_days === 0) return null;
  const { data_as_of, behind_trading_days, behind_since, reason } = of;
  return (
    <p class="behind" role="status">
      {shell.value.daysMissing(day(data_as_of), behind_trading_days, moment(behind_since))} {reason}
    </p>
  );
}
