import { ModelResultDays } from '#fields/values/model-result-days.ts';
import type { Panel } from '#quant/panel/panel.ts';
import type { DaySpan } from '#quant/panel/ranges.ts';
import type { ClickHouseClient } from '#platform/clickhouse/clickhouse.ts';
import { readArrow } from '#platform/clickhouse/clickhouse-arrow.ts';
import { namedToday } from '../in-memory/named-today.ts';

const RESULTS_SQL = `SELECT toString(as_of) AS day, ticker, probability, rank, toUInt8(picked) AS picked
FROM (SELECT as_of, tickers, probabilities, ranks, picks FROM market.model_result
      WHERE dataset_kind = {kind:String} AND model_id = {modelId:String} AND as_of BETWEEN {from:Date} AND {to:Date}
      ORDER BY as_of, stored_at, job_id LIMIT 1 BY as_of)
ARRAY JOIN tickers AS ticker, probabilities AS probability, ranks AS rank, picks AS picked`;

/** The results of a model on days of a panel, for its stocks. Others are left out, as are days that it does not have. */
export async function readModelResults(
  client: ClickHouseClient,
  { kind, modelId }: { kind: string; modelId: string },
  panel: Panel,
  span: DaySpan,
): Promise<ModelResultDays> {
  const results = new ModelResultDays(panel, span);
  const { dates } = panel.columns;
  const days = { from: dates[span.firstDay]!, to: dates[span.lastDay]! };
  for await (const batch of readArrow(client, RESULTS_SQL, { kind, modelId, ...days })) {
    const column = (name: string) => batch.getChild(name)!;
    const [dayOf, ticker, probability] = [column('day'), column('ticker'), column('probability')];
    const [rank, picked] = [column('rank'), column('picked')];
    for (let row = 0; row < batch.numRows; row++) {
      const date = dayOf.get(row) as string;
      const day = panel.dayOnOrBefore(date);
      const stock = panel.tickerIndex(namedToday(panel, ticker.get(row) as string, date));
      if (stock < 0 || dates[day] !== date) continue;
      const figure = (value: unknown) => (value === null ? NaN : Number(value));
      results.add(stock, day, {
        probability: figure(probability.get(row)),
        rank: figure(rank.get(row)),
        picked: figure(picked.get(row)),
      });
    }
  }
  return results;
}
