import { describe, expect, test } from 'vitest';
import { panelOf } from '#quant/panel/panel-fixture.ts';
import { mean } from '../market-fixture.ts';
import { TICKER_CODES } from '../listing-plan.ts';
import { tradingCalendar } from '../trading-calendar.ts';
import { BROKERS } from './bars-fixture.ts';
import { brokersOf, LOCAL } from './brokers.ts';
import { campaignOn, campaignsOf, firstEpochDay, monthNumber, type Campaign } from './campaigns.ts';
import { generated } from './generated-fixture.ts';
import { isoFromEpochDay } from '#foundation/iso-day.ts';
import { stockKey } from './leanings.ts';

const brokers = brokersOf(BROKERS);
const MONTHS = Array.from({ length: 36 }, (_, i) => monthNumber('2022-01') + i);

function campaignsIn(ticker: string, month: number): Campaign[] {
  return campaignsOf(1, stockKey(ticker), month, brokers);
}

describe('accumulation campaigns', () => {
  const stockMonths = TICKER_CODES.slice(0, 300).flatMap((ticker) =>
    MONTHS.map((month) => ({ ticker, month, campaigns: campaignsIn(ticker, month) })),
  );

  test('cover 3 to 8 % of stock-months', () => {
    const carrying = stockMonths.filter(({ month, campaigns }) =>
      campaigns.some(
        ({ gatherFrom, gatherTo }) =>
          gatherFrom < firstEpochDay(month + 1) && gatherTo >= firstEpochDay(month),
      ),
    );
    expect(carrying.length / stockMonths.length).toBeGreaterThan(0.03);
    expect(carrying.length / stockMonths.length).toBeLessThan(0.08);
  });

  test('last at most 30 trading days, involve 1 to 3 local brokers at 5 to 15 % of turnover, and are sold off later', () => {
    const calendar = tradingCalendar(1_100, '2025-06-30');
    for (const { houses, strength, ...days } of stockMonths.flatMap(({ campaigns }) => campaigns)) {
      expect(houses.length).toBeGreaterThanOrEqual(1);
      expect(houses.length).toBeLessThanOrEqual(3);
      expect(houses.every((house) => brokers.class[house] === LOCAL)).toBe(true);
      expect(strength).toBeGreaterThanOrEqual(0.05);
      expect(strength).toBeLessThanOrEqual(0.15);
      expect(days.distributeFrom).toBeGreaterThan(days.gatherTo);
      expect(days.distributeTo - days.distributeFrom).toBe(days.gatherTo - days.gatherFrom);
      const [from, to] = [isoFromEpochDay(days.gatherFrom), isoFromEpochDay(days.gatherTo)];
      const tradingDays = calendar.filter((date) => date >= from && date <= to).length;
      // The shortest campaign has ten weekdays, of which the longest holidays take seven: 2025-03-28 to 04-07.
      expect(tradingDays).toBeGreaterThanOrEqual(3);
      expect(tradingDays).toBeLessThanOrEqual(30);
    }
  });

  test('are the same from every month they touch', () => {
    const { ticker, month, campaigns } = stockMonths.find(
      ({ month, campaigns }) =>
        month > MONTHS[0]! + 6 && campaigns.some(({ gatherTo }) => gatherTo >= firstEpochDay(month + 1)),
    )!;
    const lasting = campaigns.filter(({ gatherTo }) => gatherTo >= firstEpochDay(month + 1));
    const next = campaignsIn(ticker, month + 1);
    for (const campaign of lasting) expect(next).toContainEqual(campaign);
  });

  test('show in the rows: their brokers buy net by the campaign strength and sell it later', () => {
    const { ticker, campaigns } = stockMonths.find(({ campaigns }) => campaigns.length === 1)!;
    const [{ houses, strength, gatherFrom, distributeTo }] = campaigns as [Campaign];
    const bars = [];
    for (let epochDay = gatherFrom; epochDay <= distributeTo; epochDay++) {
      const date = isoFromEpochDay(epochDay);
      bars.push({
        ticker,
        date,
        close: 1_000,
        volume: 1e8,
        value: 1e11,
        frequency: 20_000,
        high: 1_020,
        low: 980,
      });
    }
    const days = generated(panelOf(bars));
    const codes = houses.map((house) => brokers.codes[house]!);
    const netOn = (sign: number) =>
      mean(
        days
          .filter(
            ({ date }) => Math.sign(campaignOn(campaigns, Date.parse(date) / 86_400_000)?.net ?? 0) === sign,
          )
          .map(({ brokers, volume }) =>
            brokers
              .filter(({ code }) => codes.includes(code))
              .reduce((sum, { buyShares, sellShares }) => sum + (buyShares - sellShares) / volume, 0),
          ),
      );
    expect(netOn(1)).toBeGreaterThan(0.8 * strength);
    expect(netOn(1)).toBeLessThan(1.1 * strength);
    expect(netOn(-1)).toBeLessThan(-0.8 * strength);
    expect(netOn(-1)).toBeGreaterThan(-1.1 * strength);
  });
});
