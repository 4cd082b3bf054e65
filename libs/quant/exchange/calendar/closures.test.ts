import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { epochDayFromIso } from '#foundation/iso-day.ts';
import { CLOSURES, FIRST_LISTED_YEAR, LAST_LISTED_YEAR } from './closures.ts';
import { IDX_CALENDAR, isWeekend } from './trading-calendar.ts';
import { needing, THE_REAL_MARKET } from '#support/needing.ts';

const days = Object.keys(CLOSURES);

/** As the exchange counted them after all changes of the year. Of 2022 the days with trades are counted. */
const TRADING_DAYS: Record<number, number> = {
  2016: 246,
  2017: 238,
  2018: 240,
  2019: 245,
  2020: 242,
  2021: 247,
  2022: 246,
  2023: 239,
  2024: 237,
  2025: 236,
  2026: 239,
};

describe('the closures of the exchange', () => {
  test('are weekdays of the listed years in order, each once and with a reason', () => {
    expect(days).toEqual([...new Set(days)].sort());
    for (const isoDate of days) {
      expect(isWeekend(epochDayFromIso(isoDate)), isoDate).toBe(false);
      expect(Number(isoDate.slice(0, 4))).toBeGreaterThanOrEqual(FIRST_LISTED_YEAR);
      expect(Number(isoDate.slice(0, 4))).toBeLessThanOrEqual(LAST_LISTED_YEAR);
      expect(CLOSURES[isoDate]!.trim()).not.toBe('');
    }
  });

  test.each(Object.entries(TRADING_DAYS))(
    'leave as many trading days of %s as the exchange counted',
    (year, count) => {
      expect(IDX_CALENDAR.tradingDays(`${year}-01-01`, `${year}-12-31`)).toHaveLength(count);
    },
  );

  test('leave as many days in every month of 2026 as the exchange announced', () => {
    const months = IDX_CALENDAR.tradingDays('2026-01-01', '2026-12-31').map((isoDate) => isoDate.slice(5, 7));
    const counts = Array.from(
      { length: 12 },
      (_, i) => months.filter((month) => Number(month) === i + 1).length,
    );
    expect(counts).toEqual([20, 18, 17, 21, 16, 20, 23, 19, 22, 22, 21, 20]);
  });
});

/** Not part of the project; without it this test is skipped. */
const archive = fileURLToPath(new URL('../../../../../shared/data/', import.meta.url));
const linesOf = (file: string) =>
  readFileSync(archive + file, 'utf8')
    .trim()
    .split('\n');

describe('the calendar', needing(THE_REAL_MARKET, existsSync(`${archive}idx_trading_days.txt`)), () => {
  test('has exactly the trading days and closures of the archive', () => {
    const traded = linesOf('idx_trading_days.txt');
    const [first, last] = [traded[0]!, traded.at(-1)!];
    expect(IDX_CALENDAR.tradingDays(first, last)).toEqual(traded);
    expect(days.filter((isoDate) => isoDate >= first && isoDate <= last)).toEqual(
      linesOf('idx_weekday_closures.txt'),
    );
  });
});
