import { useState } from 'preact/hooks';
import { goTo, linkTo } from '#console/browser/routing.ts';
import { BarFigure } from '#console/parts/figures/bar-figure.tsx';
import { Loaded, useLoadingOn } from '#console/parts/loading.tsx';
import { Question } from '#console/parts/question.tsx';
import { Select } from '#console/parts/select.tsx';
import type { SourceProps } from '#console/parts/source.tsx';
import type { Column } from '#console/parts/tables/data-table.tsx';
import { client } from '#console/session/session.ts';
import { number, percent, rupiah } from '#console/words/formats.ts';
import { inLanguages } from '#console/words/in-languages.ts';
import { shared } from '#console/words/shared.ts';

const say = inLanguages({
  title: ['Flows and brokers', 'Aliran dana dan broker'],
  who: ['Who', 'Siapa'],
  types: {
    foreign: ['Foreign investors', 'Investor asing'],
    retail: ['Retail brokers', 'Broker ritel'],
    bandar: ['Local institutions', 'Institusi lokal'],
  },
  inflow: (who: string, days: string) => [
    `${who} bought most, net, in ${days} trading days`,
    `Beli bersih terbesar ${who} dalam ${days} hari bursa`,
  ],
  outflow: (who: string, days: string) => [
    `${who} sold most, net, in ${days} trading days`,
    `Jual bersih terbesar ${who} dalam ${days} hari bursa`,
  ],
  share: ['Of the value traded', 'Dari nilai transaksi'],
  accumDays: ['Days of buying', 'Hari beli'],
  nothing: ['No stock passes the limits of this list.', 'Tidak ada saham yang memenuhi batas daftar ini.'],
  brokerTitle: ['What one broker bought and sold', 'Apa yang dibeli dan dijual satu broker'],
  brokerHint: ['Two letters, as in YP.', 'Dua huruf, misalnya YP.'],
  accumulated: (broker: string) => [`${broker} bought most, net`, `Beli bersih terbesar ${broker}`],
  distributed: (broker: string) => [`${broker} sold most, net`, `Jual bersih terbesar ${broker}`],
});

const TYPES = ['foreign', 'retail', 'bandar'] as const;
const LENGTHS = [1, 5, 20, 60];
const STOCKS = 10;
/** A common broker, which has rows in every market. */
const FIRST_BROKER = 'YP';

/** The net purchases of each class of investors, and those of one broker. */
export function FlowsPage({ argument }: { argument: string }) {
  const [type, setType] = useState<(typeof TYPES)[number]>('foreign');
  const [days, setDays] = useState(LENGTHS[1]!);
  const requested = { flow_type: type, days, top_n: STOCKS };
  const flows = useLoadingOn(
    ['dataset.published'],
    (signal) => client.value.data.flows({ ...requested, signal }),
    [type, days],
  );
  const who = say.types[type];
  return (
    <>
      <h1>{say.title}</h1>
      <form class="inline" onSubmit={(event) => event.preventDefault()}>
        <label for="flow-type">{say.who}</label>
        <Select
          id="flow-type"
          value={type}
          options={TYPES.map((name) => [name, say.types[name]])}
          choose={setType}
        />
        <label for="flow-days">{shared.tradingDays}</label>
        <Select
          id="flow-days"
          value={String(days)}
          options={LENGTHS.map((length) => [`${length}`, `${length}`])}
          choose={(length) => setDays(Number(length))}
        />
      </form>
      <Loaded of={flows}>
        {({ inflow, outflow, dataset_version, date_to, broker_data }) => {
          const source = { datasetVersion: dataset_version, asOf: date_to, brokerData: broker_data };
          const more: Column<(typeof inflow)[number]>[] = [
            { title: say.share, isNumber: true, of: (row) => percent(row.net_to_value_pct) },
            { title: say.accumDays, isNumber: true, of: (row) => number(row.accum_days) },
          ];
          return (
            <div class="two">
              <NetValues title={say.inflow(who, number(days))} rows={inflow} more={more} source={source} />
              <NetValues title={say.outflow(who, number(days))} rows={outflow} more={more} source={source} />
            </div>
          );
        }}
      </Loaded>
      <h2>{say.brokerTitle}</h2>
      <Question
        id="broker"
        label={shared.broker}
        button={shared.show}
        defaultValue={argument || FIRST_BROKER}
        title={say.brokerHint}
        enter={(broker) => broker !== '' && goTo(linkTo('flows', broker.toUpperCase()))}
      />
      <BrokerStocks key={argument} broker={argument || FIRST_BROKER} />
    </>
  );
}

function BrokerStocks({ broker }: { broker: string }) {
  const requested = { days: 5, top_n: STOCKS };
  const stocks = useLoadingOn(['dataset.published'], (signal) =>
    client.value.data.brokerStocks(broker, { ...requested, signal }),
  );
  return (
    <Loaded of={stocks}>
      {({ broker_name, accumulated, distributed, dataset_version, date_to, broker_data }) => {
        const source = { datasetVersion: dataset_version, asOf: date_to, brokerData: broker_data };
        const name = broker_name ?? broker;
        return (
          <div class="two">
            <NetValues title={say.accumulated(name)} rows={accumulated} source={source} />
            <NetValues title={say.distributed(name)} rows={distributed} source={source} />
          </div>
        );
      }}
    </Loaded>
  );
}

interface NetRow {
  ticker: string;
  close: number;
  net_value: number;
}

interface NetValuesProps<Row extends NetRow> {
  title: string;
  rows: readonly Row[];
  /** Columns in addition to those of every such list. */
  more?: readonly Column<Row>[];
  source: SourceProps;
}

/** Stocks by net value bought or sold. */
function NetValues<Row extends NetRow>({ title, rows, more = [], source }: NetValuesProps<Row>) {
  const { ticker, close } = shared;
  if (rows.length === 0)
    return (
      <div>
        <h3>{title}</h3>
        <p>{say.nothing}</p>
      </div>
    );
  return (
    <BarFigure<Row>
      title={title}
      source={source}
      measure={shared.netValue}
      bar={(row) => ({
        label: row.ticker,
        href: linkTo('market', row.ticker),
        value: row.net_value,
        shown: rupiah(row.net_value),
      })}
      table={{
        rows,
        keyOf: (row) => row.ticker,
        columns: [
          { title: ticker, of: (row) => row.ticker },
          { title: close, isNumber: true, of: (row) => number(row.close) },
          { title: shared.netValue, isNumber: true, of: (row) => rupiah(row.net_value) },
          ...more,
        ],
      }}
    />
  );
}
