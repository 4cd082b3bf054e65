import { useState } from 'preact/hooks';
import type { Schemas } from '#client/index.ts';
import { DayBars } from '#console/charts/day-bars.tsx';
import { Facts } from '#console/parts/facts.tsx';
import { BarFigure } from '#console/parts/figures/bar-figure.tsx';
import { Figure } from '#console/parts/figures/figure.tsx';
import { Loaded, useLoading } from '#console/parts/loading.tsx';
import type { SourceProps } from '#console/parts/source.tsx';
import type { Column } from '#console/parts/tables/data-table.tsx';
import { client } from '#console/session/session.ts';
import { unlessNotFound } from '#console/session/unless-not-found.ts';
import { day, rupiah } from '#console/words/formats.ts';
import { shared } from '#console/words/shared.ts';
import { CLASSES, streakOf } from './broker-classes.ts';
import { say } from './words.ts';

const DAYS = 20;
const TIMELINE_DAYS = 90;
const BROKERS = 8;

/** Who bought and sold a stock: by class of brokers, by broker, and for one broker day by day. */
export function BrokerFlow({ ticker }: { ticker: string }) {
  const requested = { days: DAYS, top_n: BROKERS };
  const flow = useLoading(async (signal) => ({
    window: await unlessNotFound(client.value.data.brokersWindow(ticker, { ...requested, signal })),
  }));
  const [chosen, choose] = useState<string>();
  return (
    <>
      <h2>{say.flow(DAYS)}</h2>
      <Loaded of={flow}>
        {({ window }) => {
          if (!window) return <p>{say.noBrokerRows}</p>;
          const { totals, brokers, by_day, date_to, dataset_version, broker_data } = window;
          const rows = brokers.toSorted((a, b) => b.net_value - a.net_value);
          const broker = chosen ?? rows[0]?.broker;
          const source = { datasetVersion: dataset_version, asOf: date_to, brokerData: broker_data };
          return (
            <>
              <Facts
                facts={[
                  [say.foreign, rupiah(totals.foreign_net_value)],
                  [say.retail, rupiah(totals.retail_net_value)],
                  [say.bandar, rupiah(totals.bandar_net_value)],
                ]}
              />
              <ClassFlow days={by_day} source={source} />
              <BarFigure
                title={say.flow(DAYS)}
                source={source}
                measure={shared.netValue}
                bar={(row) => ({
                  label: `${row.broker} ${row.broker_name ?? ''}`,
                  value: row.net_value,
                  shown: rupiah(row.net_value),
                })}
                table={{
                  rows,
                  keyOf: (row) => row.broker,
                  selected: broker,
                  columns: [
                    {
                      title: shared.broker,
                      of: (row) => (
                        <button
                          type="button"
                          class="choose"
                          aria-pressed={row.broker === broker}
                          onClick={() => choose(row.broker)}
                        >
                          {row.broker}
                        </button>
                      ),
                    },
                    ...dealtColumns(),
                  ],
                }}
              />
              {broker && <Timeline key={broker} ticker={ticker} broker={broker} />}
            </>
          );
        }}
      </Loaded>
    </>
  );
}

type Dealt = Pick<Schemas['BrokerWindowRow'], 'buy_value' | 'sell_value' | 'net_value'>;

/** What a broker bought and sold. */
function dealtColumns(): Column<Dealt>[] {
  return [
    { title: say.bought, isNumber: true, of: (row) => rupiah(row.buy_value) },
    { title: say.sold, isNumber: true, of: (row) => rupiah(row.sell_value) },
    { title: shared.netValue, isNumber: true, of: (row) => rupiah(row.net_value) },
  ];
}

function Timeline({ ticker, broker }: { ticker: string; broker: string }) {
  const timeline = useLoading((signal) =>
    client.value.data.brokerTimeline(ticker, broker, { days: TIMELINE_DAYS, signal }),
  );
  return (
    <Loaded of={timeline}>
      {({ timeline: days, signals, date_to, dataset_version, broker_data }) => {
        const { side, days: length, start_date, is_cut } = signals.current_streak;
        const name = say.sides[side];
        const streak = is_cut ? say.cutStreak : say.streak;
        return (
          <Figure
            title={say.timeline(broker, ticker)}
            source={{ datasetVersion: dataset_version, asOf: date_to, brokerData: broker_data }}
            table={{
              rows: days.toReversed(),
              keyOf: ({ date }) => date,
              columns: [{ title: shared.date, of: ({ date }) => day(date) }, ...dealtColumns()],
            }}
          >
            <p>{start_date ? streak(name, length, day(start_date)) : name}</p>
            <DayBars
              label={say.timeline(broker, ticker)}
              days={days.map(({ date }) => date)}
              series={[
                { name: say.bought, kind: 'first', values: days.map(({ buy_value }) => buy_value) },
                { name: say.sold, kind: 'second', values: days.map(({ sell_value }) => -sell_value) },
              ]}
              format={rupiah}
            />
          </Figure>
        );
      }}
    </Loaded>
  );
}

type ClassDay = Schemas['BrokerClassDay'];

const KINDS = { foreign: 'first', bandar: 'second', retail: 'third' } as const;

/** Which class of brokers bought and which sold, day by day, and for how long. */
function ClassFlow({ days, source }: { days: readonly ClassDay[]; source: SourceProps }) {
  const netOf = (of: (typeof CLASSES)[number]) => days.map((each) => each[`${of}_net_value`]);
  return (
    <Figure
      title={say.byClass}
      source={source}
      table={{
        rows: days.toReversed(),
        keyOf: ({ date }) => date,
        columns: [
          { title: shared.date, of: ({ date }) => day(date) },
          ...CLASSES.map((of) => ({
            title: say[of],
            isNumber: true,
            of: (each: ClassDay) => rupiah(each[`${of}_net_value`]),
          })),
        ],
      }}
    >
      <DayBars
        label={say.byClass}
        days={days.map(({ date }) => date)}
        series={CLASSES.map((of) => ({ name: say[of], kind: KINDS[of], values: netOf(of) }))}
        format={rupiah}
      />
      <ul class="sentences">
        {CLASSES.map((of) => {
          const { side, length } = streakOf(netOf(of));
          const since = day(days[days.length - length]?.date);
          return (
            <li key={of}>
              <strong>{say[of]}.</strong>{' '}
              {side === 'NONE' ? say.sides.NONE : say.streak(say.sides[side], length, since)}
            </li>
          );
        })}
      </ul>
    </Figure>
  );
}
