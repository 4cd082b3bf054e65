import { expect, test } from 'vitest';
import { isoFromEpochDay } from '#foundation/iso-day.ts';
import { panelOf, dailyBars } from '#quant/panel/panel-fixture.ts';
import { AnalogLibrary } from '#quant/recovery/analogs.ts';
import { ForwardPaths } from '#quant/recovery/forward-path.ts';
import { positionOutlook } from './outlook.ts';

const DAYS = 60;
/** 2016-04-29, the last trading day with a tick of 1 at 300; the next day with one was 2016-05-02. */
const LAST_OLD_DAY = 16_920;

/** A stock at 300 that never moves but for one low of 297, and a position in it with an average of 302.5. */
function outlookOn(lastDay: number) {
  const from = isoFromEpochDay(lastDay - DAYS + 1);
  const barOf = (day: number) => ({ close: 300, low: day === DAYS - 5 ? 297 : 300 });
  const panel = panelOf(dailyBars(DAYS, barOf, { from }));
  const day = DAYS - 1;
  const analogs = new AnalogLibrary({
    ticker: Uint16Array.of(0, 0),
    panelRow: Uint32Array.of(0, 1),
    bucket: Uint8Array.of(2, 2),
    volatility: Float64Array.of(0.02, 0.02),
  });
  const position = {
    code: 'AAAA',
    ticker: 0,
    tableRow: 0,
    panelRow: day,
    price: 300,
    pnlPct: -0.8,
    avgPrice: 302.5,
    bucket: 'loser' as const,
    lastTradedDay: day,
    judgedDay: day,
  };
  const forecast = {
    chances: Float32Array.of(0.1, 0.2, 0.4, 0.2, 0.1),
    features: {},
    contributions: {} as never,
    reasons: [],
    volatility: 0.02,
  };
  const paths = new ForwardPaths(panel, 20);
  const market = { panel, day, horizonDays: 20, paths, analogs, isSkilled: true, shareBelowFloor: 0 };
  return positionOutlook(position, forecast, market);
}

test('target and support are rounded to the ticks of the analysed day', () => {
  const [then, now] = [outlookOn(LAST_OLD_DAY), outlookOn(LAST_OLD_DAY + 3)];
  expect([then.support_level.tick_price, now.support_level.tick_price]).toEqual([297, 296]);
  expect([then.restore_target.tick_price, now.restore_target.tick_price]).toEqual([301, 302]);
});
