import { useState } from 'preact/hooks';
import { BarRows } from '#console/charts/bar-rows.tsx';
import { DataTable, type Column } from '#console/parts/data-table.tsx';
import { Figure } from '#console/parts/figure.tsx';
import { Loaded, useLoadingOn } from '#console/parts/loading.tsx';
import type { SourceProps } from '#console/parts/source.tsx';
import { goTo, linkTo } from '#console/routing.ts';
import { client } from '#console/session/session.ts';
import { number, percent, rupiah } from '#console/words/formats.ts';
import { shared } from '#console/words/shared.ts';
import { words } from './words.ts';

const TYPES = ['foreign', 'retail', 'bandar'] as const;
const LENGTHS = [1, 5, 20, 60];
const STOCKS = 10;
/** A common broker, which has rows in every market. */
const FIRST_BROKER = 'YP';

/** The net purchases of each class of investors, and those of one broker. */
export function FlowsPage({ argument }: { argument: string }) {
  const say = words.value;
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
        <select
          id="flow-type"
          value={type}
          onChange={({ currentTarget }) => setType(currentTarget.value as typeof type)}
        >
          {TYPES.map((name) => (
            <option key={name} value={name}>
              {say.types[name]}
            </option>
          ))}
        </select>
        <label for="flow-days">{say.days}</label>
        <select
          id="flow-days"
          value={days}
          onChange={({ currentTarget }) => setDays(Number(currentTarget.value))}
        >
          {LENGTHS.map((length) => (
            <option key={length}>{length}</option>
          ))}
        </select>
      </form>
      <Loaded of={flows}>
        {({ inflow, outflow, dataset_version, date_to, broker_data }) => {
          const source = { datasetVersion: dataset_version, asOf: date_to, brokerData: broker_data };
          const more = [
            {
              title: say.share,
              isNumber: true,
              of: (row: (typeof inflow)[number]) => percent(row.net_to_value_pct),
            },
            {
              title: say.accumDays,
              isNumber: true,
              of: (row: (typeof inflow)[number]) => number(row.accum_days),
            },
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
      <form
        class="inline"
        onSubmit={(event) => {
          event.preventDefault();
          const wanted = (new FormData(event.currentTarget).get('broker') as string).trim().toUpperCase();
          if (wanted !== '') goTo(linkTo('flows', wanted));
        }}
      >
        <label for="broker">{say.broker}</label>
        <input
          id="broker"
          name="broker"
          defaultValue={argument || FIRST_BROKER}
          title={say.brokerHint}
          autocomplete="off"
        />
        <button type="submit">{shared.value.show}</button>
      </form>
      <BrokerStocks key={argument} broker={argument || FIRST_BROKER} />
    </>
  );
}

function BrokerStocks({ broker }: { broker: string }) {
  const say = words.value;
  const requested = { days: 5, top_n: STOCKS };
  const stocks = useLoadingOn(
    ['dataset.published'],
    (signal) => client.value.data.brokerStocks(broker, { ...requested, signal }),
    [],
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
  const say = words.value;
  const { ticker, close } = shared.value;
  if (rows.length === 0)
    return (
      <div>
        <h3>{title}</h3>
        <p>{say.nothing}</p>
      </div>
    );
  return (
    <Figure
      title={title}
      source={source}
      table={
        <DataTable<Row>
          caption={title}
          rows={rows}
          keyOf={(row) => row.ticker}
          columns={[
            { title: ticker, of: (row) => row.ticker },
            { title: close, isNumber: true, of: (row) => number(row.close) },
            { title: say.net, isNumber: true, of: (row) => rupiah(row.net_value) },
            ...more,
          ]}
        />
      }
    >
      <BarRows
        caption={title}
        columns={{ name: ticker, value: say.net }}
        rows={rows.map((row) => ({
          label: row.ticker,
          href: linkTo('market', row.ticker),
          value: row.net_value,
          shown: rupiah(row.net_value),
        }))}
      />
    </Figure>
  );
}
