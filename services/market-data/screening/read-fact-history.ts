import { FactHistory } from '#fields/values/fact-history.ts';
import type { Panel } from '#quant/panel/panel.ts';
import type { ClickHouseClient } from '#platform/clickhouse/clickhouse.ts';
import { readArrow } from '#platform/clickhouse/clickhouse-arrow.ts';
import { namedToday } from '../in-memory/named-today.ts';
import type { StoredFact } from '../store/fact-store.ts';

/** Ascending by day, as a history takes values. */
const FACT_SQL = `SELECT ticker, toString(known_since) AS known_since, value FROM market.fact
WHERE edition = {edition:String} ORDER BY known_since, ticker`;

/**
 * The values of a fact for the stocks of a panel. Others are left out.
 * @throws Error unless all of its rows are stored
 */
export async function readFactHistory(
  client: ClickHouseClient,
  { name, type, edition, rows }: StoredFact,
  panel: Panel,
): Promise<FactHistory> {
  const history = new FactHistory(type, panel);
  let read = 0;
  for await (const batch of readArrow(client, FACT_SQL, { edition })) {
    const [tickers, days, values] = ['ticker', 'known_since', 'value'].map((column) =>
      batch.getChild(column)!,
    );
    for (let row = 0; row < batch.numRows; row++) {
      const knownSince = days!.get(row) as string;
      const stock = panel.tickerIndex(namedToday(panel, tickers!.get(row) as string, knownSince));
      if (stock >= 0) history.add(stock, knownSince, (values!.get(row) as string) || null);
    }
    read += batch.numRows;
  }
  if (read !== rows) throw new Error(`the fact ${name} has ${read} values in ${edition}, not ${rows}`);
  return history;
}
