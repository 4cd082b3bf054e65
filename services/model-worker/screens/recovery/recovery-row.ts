import { grouped, rounded, signedPercent } from '../display.ts';
import type { Forecast } from './learn-recovery.ts';
import type { PositionOutlook, PriceLevel } from './position-outlook.ts';

/** A position of the full view: the numbers of the compact one as they are shown, then every feature as it is. */
export function recoveryRow(position: PositionOutlook, { features }: Forecast): Record<string, unknown> {
  const { probabilities, trajectory, exit_window } = position;
  return {
    Ticker: position.ticker,
    Outlook: position.outlook,
    Bucket: position.bucket,
    'P/L': signedPercent(position.pnl_pct / 100),
    'Last Close': grouped(position.current_price),
    'Avg Price': grouped(position.avg_price),
    'Prob Up': percent(probabilities.up),
    'Prob Down': percent(probabilities.down),
    'Prob Neutral': percent(probabilities.neutral),
    ...Object.fromEntries(Object.entries(trajectory).map(([bucket, chance]) => [bucket, percent(chance)])),
    'Restore Target': priceLevel(position.restore_target),
    'Support Level': priceLevel(position.support_level),
    'Exit Window': `${exit_window.day_from}-${exit_window.day_to} hari`,
    Reason: position.reason,
    ...Object.fromEntries(Object.entries(features).map(([name, value]) => [name, rounded(value, 4)])),
  };
}

function percent(value: number): string {
  return `${value.toFixed(1)}%`;
}

function priceLevel({ price, change_pct }: PriceLevel): string {
  return `${grouped(price)} (${signedPercent(change_pct / 100)})`;
}
