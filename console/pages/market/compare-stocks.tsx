import { useState } from 'preact/hooks';
import type { Schemas } from '#client/index.ts';
import { DataTable } from '#console/parts/data-table.tsx';
import { Failure } from '#console/parts/failure.tsx';
import { Source } from '#console/parts/source.tsx';
import { tickerColumn } from '#console/parts/ticker-column.tsx';
import { client } from '#console/session/session.ts';
import { fixed, number, rupiah, signedPercent } from '#console/words/formats.ts';
import { shared } from '#console/words/shared.ts';
import { namesIn } from '#console/words/names-in.ts';
import { words } from './words.ts';

type Compared = Schemas['ComparedStock'];

/** A stock beside others that a person names, over the same days. */
export function CompareStocks({ ticker, days }: { ticker: string; days: number }) {
  const say = words.value;
  const [{ comparison, failure }, setOutcome] = useState<{
    comparison?: Schemas['Comparison'];
    failure?: unknown;
  }>({});
  const [isBusy, setBusy] = useState(false);
  const compare = async (others: string) => {
    setBusy(true);
    const tickers = [ticker, ...namesIn(others)];
    const outcome = await client.value.data.compare(tickers, { days }).then(
      (comparison) => ({ comparison }),
      (failure: unknown) => ({ failure }),
    );
    setOutcome(outcome);
    setBusy(false);
  };
  return (
    <>
      <h2>{say.compare}</h2>
      <form
        class="inline"
        onSubmit={(event) => {
          event.preventDefault();
          void compare(new FormData(event.currentTarget).get('others') as string);
        }}
      >
        <label for="others">{say.compareWith}</label>
        <input id="others" name="others" placeholder="BBRI, BMRI" autocomplete="off" spellcheck={false} />
        <button type="submit" disabled={isBusy}>
          {say.compareButton}
        </button>
      </form>
      {failure !== undefined && <Failure of={failure} />}
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
  const say = words.value;
  const figure = (
    title: string,
    field: string,
    value: (stock: Compared) => number | null,
    shown: (value: number | null) => string,
  ) => ({
    title,
    field,
    isNumber: true,
    value,
    of: (stock: Compared) => shown(value(stock)),
  });
  return (
    <DataTable
      name="comparison"
      caption={say.compared(number(days))}
      rows={snapshots}
      keyOf={({ ticker }) => ticker}
      columns={[
        tickerColumn(),
        figure(shared.value.close, 'close', ({ close }) => close, number),
        figure(
          say.returned,
          'return_pct',
          ({ period }) => period.return_pct,
          (value) => signedPercent(value, 2),
        ),
        figure(
          say.drawdown,
          'max_drawdown_pct',
          ({ period }) => period.max_drawdown_pct,
          (value) => signedPercent(value, 2),
        ),
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
