import { describe, expect, test } from 'vitest';
import { syntheticBars } from '#quant/panel/generated-bars-fixture.ts';
import { picksOutcome } from '#quant/labels/picks-outcome.ts';
import { lastDecidedDay, undecidedOutcomes } from '#quant/labels/triple-barrier.ts';
import type { Panel } from '#quant/panel/panel.ts';
import { panelOf } from '#quant/panel/panel-fixture.ts';
import { chanceBetterThanRandom } from '#quant/performance/better-than-random.ts';
import { criticalDistance, distanceFromUniform } from '#quant/performance/uniform-fixture.ts';
import { Random } from '#quant/random.ts';
import { regimeHistory } from '#quant/regime/regime.ts';
import { closedAtUpperLimit } from '#quant/universe/candidates.ts';
import { FIELDS } from '../catalogue/catalogue.ts';
import { marketColumns } from '../catalogue/columns.ts';
import { evaluateDays } from '../evaluation/evaluate.ts';
import { needsOf } from '../rules/needs.ts';
import { parseRules } from '../rules/parse-rules.ts';
import { pastFigures } from './past-figures.ts';
import { PastMarket } from './past-market.ts';
import { boughtAt, pastPicks, type PastPicks } from './past-picks.ts';
import { randomChoices } from './random-choices.ts';

const BARRIERS = { targetGain: 0.08, stopLoss: 0.05, horizonDays: 20 };
const FLOORS = { min_price: 0, min_daily_val: 0 };

const panel = panelOf(syntheticBars({ seed: 5, tickers: 40, days: 400 }));
const SPAN = { firstDay: 130, lastDay: lastDecidedDay(panel.dayCount - 1, BARRIERS) };

/** What came of rules on the days of a span. */
function pastOf(of: Panel, rulesText: string, span = SPAN, isUnwanted?: () => boolean): PastPicks {
  const rules = parseRules(rulesText, FIELDS);
  const inputs = {
    panel: of,
    facts: new Map(),
    get history() {
      return regimeHistory(of);
    },
  };
  const columns = marketColumns(needsOf(rules).fields, inputs, {
    firstDay: 0,
    lastDay: span.lastDay,
  });
  const matches = evaluateDays(rules, columns, span);
  const liquid = columns.liquid.subarray(span.firstDay * of.tickerCount);
  return pastPicks(new PastMarket(of), { span, matches, liquid, isUnwanted }, BARRIERS);
}

const figuresOf = (past: PastPicks) =>
  pastFigures(panel, past, { horizonDays: 20, regimes: regimeHistory(panel).regime });

describe('the past of a screen', () => {
  const RULES = 'ret_20d > 2 sort by value_idr desc limit 5';
  const past = pastOf(panel, RULES);
  const { starts, stocks } = past.matches;
  const { tickers } = panel.columns;

  test('is given up at the step at which nobody waits any more, whichever that is, and no other is begun', () => {
    /** The steps of a past that is unwanted from one of them on. */
    const stepsOf = (unwantedAt: number) => {
      let steps = 0;
      const isUnwanted = () => ++steps >= unwantedAt;
      const judge = () => figuresOf(pastOf(panel, RULES, SPAN, isUnwanted));
      if (unwantedAt === Infinity) judge();
      else expect(judge).toThrow('nobody waits');
      return steps;
    };
    const all = stepsOf(Infinity);
    expect(all).toBeGreaterThan(2 * starts.length);
    for (const part of [0, 0.2, 0.4, 0.6, 0.8, 1]) {
      const at = Math.max(1, Math.floor(part * all));
      expect(stepsOf(at)).toBe(at);
    }
  });

  test('has the outcomes that the picks of a run with the same levels have', () => {
    let [bought, unfilled] = [0, 0];
    for (let at = 0; at + 1 < starts.length; at++) {
      const picked = [...stocks.subarray(starts[at], starts[at + 1])];
      const day = SPAN.firstDay + at;
      const run = {
        day,
        tickers: picked.map((stock) => tickers[stock]!),
        barriers: BARRIERS,
        floors: FLOORS,
      };
      const { picks } = picksOutcome(panel, run, panel.dayCount - 1);
      for (const [i, { state, netReturn }] of picks.entries()) {
        const outcome = boughtAt(past, at * panel.tickerCount + picked[i]!, '');
        expect(outcome?.netReturn).toBe(outcome && netReturn === undefined ? NaN : netReturn);
        expect(outcome?.won ?? false).toBe(state === 'won');
        if (outcome) bought++;
        else unfilled++;
      }
    }
    const { all } = figuresOf(past);
    expect([all.picks, all.unfilled]).toEqual([bought, unfilled]);
    expect(Math.min(bought, unfilled)).toBeGreaterThan(0);
  });

  test('compares with the liquid stocks that could be bought, each day weighted by its picks', () => {
    let [net, picks] = [0, 0];
    for (let at = 0; at + 1 < starts.length; at++) {
      const of = (stock: number) => boughtAt(past, at * panel.tickerCount + stock, '');
      const isSold = (outcome: ReturnType<typeof of>) => outcome && !Number.isNaN(outcome.netReturn);
      const ofDay = [...stocks.subarray(starts[at], starts[at + 1])].filter((stock) =>
        isSold(of(stock)),
      ).length;
      const others = tickers
        .map((_, stock) => stock)
        .filter((stock) => past.isCandidate[at * panel.tickerCount + stock] === 1)
        .map(of)
        .filter((outcome) => outcome !== undefined)
        .filter(isSold);
      for (const stock of tickers.keys())
        if (past.isCandidate[at * panel.tickerCount + stock] === 1)
          expect(closedAtUpperLimit(panel, stock, panel.rowAt(stock, SPAN.firstDay + at))).toBe(false);
      if (others.length > 0)
        net += (ofDay * others.reduce((sum, { netReturn }) => sum + netReturn, 0)) / others.length;
      picks += ofDay;
    }
    const { net_return, excess_net_return } = figuresOf(past).all;
    expect(net_return.value! - excess_net_return.value!).toBeCloseTo(net / picks, 12);
  });

  test('is the same on a market that has followed the picks of others, also to other levels', () => {
    const market = new PastMarket(panel);
    const liquid = new Uint8Array((SPAN.lastDay + 1 - SPAN.firstDay) * panel.tickerCount).fill(1);
    const pastTo = (targetGain: number) =>
      pastPicks(market, { span: SPAN, matches: past.matches, liquid }, { ...BARRIERS, targetGain });
    const [first, ...others] = [BARRIERS.targetGain, 0.02, 0.03, BARRIERS.targetGain].map(pastTo);
    expect(figuresOf(others.at(-1)!)).toEqual(figuresOf(first!));
    expect(figuresOf(others[0]!)).not.toEqual(figuresOf(first!));
    const again = pastPicks(
      market,
      { span: SPAN, matches: past.matches, liquid: past.isCandidate },
      BARRIERS,
    );
    expect(figuresOf(again)).toEqual(figuresOf(past));
  });

  test('is told for each year and regime, which together have every day and pick', () => {
    const { all, by_year, by_regime } = figuresOf(past);
    expect(by_year.length).toBeGreaterThan(1);
    for (const parts of [by_year, by_regime]) {
      expect(parts.reduce((sum, { figures }) => sum + figures.weeks, 0)).toBe(all.weeks);
      expect(parts.reduce((sum, { figures }) => sum + figures.picks, 0)).toBe(all.picks);
    }
  });

  test('says how picks overlap in time', () => {
    const everything = figuresOf(pastOf(panel, 'close > 0')).overlap;
    expect(everything.pickedAgain).toBeGreaterThan(0.9);
    const nothing = figuresOf(pastOf(panel, 'close < 0'));
    expect(nothing.overlap).toEqual({ pickedAgain: undefined, openPositions: 0 });
    expect(nothing.random).toBeUndefined();
    expect(nothing.all).toMatchObject({ picks: 0, win_rate: null, net_return: { value: null } });
  });

  test('of days that are not all asked for counts the others alone, and compares each with the one before it', () => {
    const everyFifth = Uint8Array.from({ length: starts.length - 1 }, (_, day) => (day % 5 === 4 ? 1 : 0));
    const picked = (day: number) => [...stocks.subarray(starts[day], starts[day + 1])];
    const [asked, kept] = [Uint32Array.from(starts), [] as number[]];
    let again = 0;
    for (const [day, isCounted] of everyFifth.entries()) {
      if (isCounted === 1) {
        kept.push(...picked(day));
        const before = day < 5 ? [] : picked(day - 5);
        again += picked(day).filter((stock) => before.includes(stock)).length;
      }
      asked[day + 1] = kept.length;
    }
    const matches = { starts: asked, stocks: Uint16Array.from(kept), isCounted: everyFifth };
    const { all, by_year, overlap } = figuresOf({ ...past, matches });
    expect(all.weeks).toBe(Math.floor(everyFifth.length / 5));
    expect(by_year.reduce((sum, { figures }) => sum + figures.weeks, 0)).toBe(all.weeks);
    expect(all.picks + all.unfilled).toBe(kept.length);
    expect(again).toBeGreaterThan(0);
    expect(overlap.pickedAgain).toBe(again / kept.length);
  });

  test('of the picks of a day depends on no bar of a later day but for what came of them', () => {
    const earlier = panelOf(
      syntheticBars({ seed: 5, tickers: 40, days: 400 }).filter(
        ({ date }) => date <= panel.columns.dates[200]!,
      ),
    );
    const span = { firstDay: 130, lastDay: 170 };
    const [short, long] = [earlier, panel].map((of) => pastOf(of, 'rsi_14 < 45 or ret_5d > 3', span));
    const { tickers: known } = earlier.columns;
    const namesOf = (past: PastPicks, of: readonly string[]) =>
      [...past.matches.stocks].map((stock) => of[stock]);
    expect(namesOf(short!, known)).toEqual(namesOf(long!, tickers));
  });
});

test('what nobody could sell has no return in the past of a screen, and is counted', () => {
  const bars = syntheticBars({ seed: 5, tickers: 40, days: 400 });
  const last = panel.columns.dates[200]!;
  const suspended = bars.map((bar) =>
    bar.ticker === panel.columns.tickers[0] && bar.date > last
      ? { ...bar, volume: 0, value: 0, high: bar.close, low: bar.close }
      : bar,
  );
  const span = { firstDay: 185, lastDay: 199 };
  const of = (market: Panel) =>
    pastFigures(market, pastOf(market, `ticker = '${panel.columns.tickers[0]}'`, span), {
      horizonDays: 20,
      regimes: regimeHistory(market).regime,
    });
  const [traded, held] = [of(panel), of(panelOf(suspended))];
  expect(traded.all).toMatchObject({ unsold: 0 });
  expect(held.all.picks).toBe(traded.all.picks);
  expect(held.all.unsold).toBeGreaterThan(0);
  for (const value of [held.all.net_return.value, held.random?.median, ...held.excessByPeriod])
    expect(value).not.toBeNaN();
});

/** Stocks whose outcomes overlap, of which none is better than another, and a screen that keeps its stocks for a while. */
function withoutMerit(seed: number): PastPicks {
  const [stocks, days, kept, overlap] = [80, 150, 15, 20];
  const random = new Random(seed);
  const outcomes = { ...undecidedOutcomes(stocks * days) };
  for (let stock = 0; stock < stocks; stock++) {
    const shocks = Array.from({ length: days + overlap }, () => random.normal());
    for (let day = 0; day < days; day++) {
      outcomes.filled[day * stocks + stock] = 1;
      outcomes.netReturn[day * stocks + stock] = shocks
        .slice(day, day + overlap)
        .reduce((sum, shock) => sum + shock, 0);
    }
  }
  const isCandidate = Uint8Array.from({ length: stocks * days }, () => Number(random.chance(0.7)));
  const [starts, picked] = [new Uint32Array(days + 1), [] as number[]];
  let held: number[] = [];
  for (let day = 0; day < days; day++) {
    if (day % kept === 0)
      held = Array.from({ length: 3 }, (_, i) => 3 * random.below(Math.floor(stocks / 3)) + i);
    picked.push(...held.filter((stock) => isCandidate[day * stocks + stock] === 1));
    starts[day + 1] = picked.length;
  }
  return {
    span: { firstDay: 0, lastDay: days - 1 },
    stocks,
    matches: { starts, stocks: Uint16Array.from(picked) },
    isCandidate,
    outcomes,
  };
}

describe('random choices', () => {
  test('are beaten by screens without merit exactly as often as is said', () => {
    const chances = Array.from({ length: 120 }, (_, seed) => {
      const past = withoutMerit(seed);
      let [sum, count] = [0, 0];
      for (let day = 0; day + 1 < past.matches.starts.length; day++)
        for (let i = past.matches.starts[day]!; i < past.matches.starts[day + 1]!; i++, count++)
          sum += past.outcomes.netReturn[day * past.stocks + past.matches.stocks[i]!]!;
      return chanceBetterThanRandom(sum / count, randomChoices(past))!;
    });
    expect(distanceFromUniform(chances)).toBeLessThan(criticalDistance(chances.length));
  });

  test('return on average what all candidates return, and hold only candidates', () => {
    const past = pastOf(panel, 'ret_20d > 0');
    const choices = randomChoices(past);
    const { net_return, excess_net_return } = figuresOf(past).all;
    const mean = choices.reduce((sum, one) => sum + one, 0) / choices.length;
    expect(mean).toBeCloseTo(net_return.value! - excess_net_return.value!, 2);
    expect(randomChoices(past)).toEqual(choices);
  });

  test('end where a pick is no candidate and none can take its place', () => {
    const past = withoutMerit(1);
    past.isCandidate.fill(0);
    expect(randomChoices(past)).toEqual(new Float64Array(0));
  });
});
