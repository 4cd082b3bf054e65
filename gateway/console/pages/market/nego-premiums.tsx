import { Scatter } from '#console/charts/scatter.tsx';
import { DataTable } from '#console/parts/data-table.tsx';
import { Figure } from '#console/parts/figure.tsx';
import { Loaded, useLoading } from '#console/parts/loading.tsx';
import { client } from '#console/session/session.ts';
import { day, number, rupiah, signedPercent } from '#console/words/formats.ts';
import { shared } from '#console/words/shared.ts';
import { words } from './words.ts';

/** What blocks of a stock were traded at, against its close. */
export function NegoPremiums({ ticker, days }: { ticker: string; days: number }) {
  const say = words.value;
  const nego = useLoading((signal) => client.value.data.nego(ticker, { days, signal }), [days]);
  return (
    <>
      <h2>{say.negoTitle}</h2>
      <Loaded of={nego}>
        {({ items, dataset_version }) => {
          const dealt = items.filter(({ nego_premium }) => nego_premium !== null);
          if (dealt.length === 0) return <p>{say.noNego}</p>;
          return (
            <Figure
              title={say.nego}
              source={{ datasetVersion: dataset_version, asOf: items.at(-1)?.date }}
              table={
                <DataTable
                  caption={say.nego}
                  rows={dealt.toReversed()}
                  keyOf={({ date }) => date}
                  columns={[
                    { title: shared.value.date, of: ({ date }) => day(date) },
                    { title: say.premium, isNumber: true, of: (row) => premiumOf(row.nego_premium) },
                    { title: shared.value.value, isNumber: true, of: (row) => rupiah(row.nego_value) },
                    { title: say.average_price, isNumber: true, of: (row) => number(row.nego_avg_price) },
                    { title: say.deals, isNumber: true, of: (row) => number(row.nego_frequency) },
                  ]}
                />
              }
            >
              <Scatter
                label={say.nego}
                days={items.map(({ date }) => date)}
                points={dealt.map(({ date, nego_premium, nego_value }) => ({
                  date,
                  value: nego_premium!,
                  weight: nego_value,
                  title: `${day(date)}: ${premiumOf(nego_premium)}, ${rupiah(nego_value)}`,
                }))}
                format={premiumOf}
              />
              <p class="hint">{say.negoHint}</p>
            </Figure>
          );
        }}
      </Loaded>
    </>
  );
}

/** A fraction of the close, in percent. */
function premiumOf(premium: number | null): string {
  return signedPercent(premium === null ? null : 100 * premium, 1);
}
