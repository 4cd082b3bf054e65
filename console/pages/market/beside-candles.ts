import type { Schemas } from '#client/index.ts';
import type { Bar, Candles } from '#console/charts/candles.ts';
import { useLoading, type Loading } from '#console/parts/loading.tsx';
import { client } from '#console/session/session.ts';
import { CLASSES } from './broker-classes.ts';
import { say as actionWords } from './corporate-action-words.ts';
import { say } from './words.ts';

/** A request for the brokers of a stock covers at most as many days. */
const MOST_FLOW_DAYS = 120;
/** A page of corporate actions, more than any stock has. */
const MOST_ACTIONS = 1_000;

/** What a chart of a stock shows beside its prices. */
export interface Besides {
  /** Absent for a stock without broker rows, and where they cannot be read. */
  flow: Schemas['BrokerWindow'] | undefined;
  /** None where they cannot be read. */
  actions: readonly Schemas['CorporateAction'][];
}

export function useBesides(ticker: string, days: number): Loading<Besides> {
  return useLoading(
    async (signal) => {
      const { data } = client.value;
      const requested = { days: Math.min(days, MOST_FLOW_DAYS), top_n: 1, signal };
      const [flow, page] = await Promise.all([
        ifReadable(data.brokersWindow(ticker, requested)),
        ifReadable(data.actions(ticker, { limit: MOST_ACTIONS, signal }).first()),
      ]);
      return { flow, actions: page?.actions ?? [] };
    },
    [ticker, days, client.value],
  );
}

/** Candles are drawn without data that fails to load: the page shows that data further below too, with the failure. */
const ifReadable = <Value>(reading: Promise<Value>): Promise<Value | undefined> =>
  reading.catch(() => undefined);

/** What each class of brokers has bought, less what it has sold, since the first day of the flow. */
export function flowsOn(bars: readonly Bar[], { flow }: Besides): NonNullable<Candles['flows']> {
  if (!flow) return [];
  const byDate = new Map(flow.by_day.map((one) => [one.date, one]));
  return CLASSES.map((of) => {
    let sum: number | undefined;
    const values = bars.map(({ date }) => {
      const net = byDate.get(date)?.[`${of}_net_value`];
      if (net !== undefined) sum = (sum ?? 0) + net;
      return sum;
    });
    return { name: say[of], values };
  });
}

/** The corporate actions on the days that are shown. */
export function markersOn(bars: readonly Bar[], { actions }: Besides): NonNullable<Candles['markers']> {
  const days = new Set(bars.map(({ date }) => date));
  return actions
    .filter(({ ex_date }) => days.has(ex_date))
    .map(({ ex_date, kind }) => ({ date: ex_date, text: actionWords.kinds[kind] }))
    .toSorted((a, b) => (a.date < b.date ? -1 : 1));
}
