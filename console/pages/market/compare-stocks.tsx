import { useState } from 'preact/hooks';
import type { Schemas } from '#client/index.ts';
import { useAttempt } from '#console/parts/attempt.ts';
import { Failure } from '#console/parts/failure.tsx';
import { Question } from '#console/parts/question.tsx';
import { Source } from '#console/parts/source.tsx';
import { columnsFor, tickerColumn } from '#console/parts/tables/columns.tsx';
import { DataTable } from '#console/parts/tables/data-table.tsx';
import { client } from '#console/session/session.ts';
import { fixed, number, rupiah, signedPercent } from '#console/words/formats.ts';
import { namesIn } from '#console/words/names-in.ts';
import { shared } from '#console/words/shared.ts';
import { say } from './words.ts';

/** A stock beside others that a person names, over the same days. */
export function CompareStocks({ ticker, days }: { ticker: string; days: number }) {
  const [comparison, setComparison] = useState<Schemas['Comparison']>();
  const { failure, isBusy, attempt } = useAttempt();
  const compare = async (others: string) => {
    try {
      setComparison(await client.value.data.compare([ticker, ...namesIn(others)], { days }));
    } catch (problem) {
      setComparison(undefined);
      throw problem;
    }
  };
  return (
    <>
      <h2>{say.compare}</h2>
      <Question
        id="others"
        label={say.compareWith}
        button={shared.compare}
        placeholder="BBRI, BMRI"
        isBusy={isBusy}
        enter={(others) => void attempt(() => compare(others))}
      />
      <Failure of={failure} />
      <div aria-busy={isBusy}>
        {comparison && (
          <>
            {comparison.missing.length > 0 && (
              <p class="notice">{say.unknown(comparison.missing.join(', '))}</p>
            )}
            <Comparison of={comparison} />
            <Source
              datasetVersion={comparison.dataset_version}
              asOf={comparison.date}
              brokerData={comparison.broker_data}
            />
          </>
        )}
      </div>
    </>
  );
}

function Comparison({ of: { snapshots, days } }: { of: Schemas['Comparison'] }) {
  const { figure } = columnsFor<Schemas['ComparedStock']>();
  const twoDecimals = (value: number | null) => signedPercent(value, 2);
  return (
    <DataTable
      name="comparison"
      caption={say.compared(number(days))}
      rows={snapshots}
      keyOf={({ ticker }) => ticker}
      columns={[
        tickerColumn(),
        figure(shared.close, 'close', ({ close }) => close),
        figure(shared.return, 'return_pct', ({ period }) => period.return_pct, twoDecimals),
        figure(shared.deepestFall, 'max_drawdown_pct', ({ period }) => period.max_drawdown_pct, twoDecimals),
        figure(say.perDay, 'avg_value', ({ period }) => period.avg_value, rupiah),
        figure(say.foreignNetShort, 'foreign_net_value', ({ period }) => period.foreign_net_value, rupiah),
        figure(say.bandarNetShort, 'bandar_net_value', ({ period }) => period.bandar_net_value, rupiah),
        figure(
          say.indicatorNames.rsi14,
          'rsi14',
          ({ features }) => features.rsi14,
          (value) => fixed(value, 1),
        ),
        figure(
          say.indicatorNames.volume_ratio_20,
          'volume_ratio_20',
          ({ features }) => features.volume_ratio_20,
          (value) => fixed(value, 2),
        ),
      ]}
    />
  );
}
