import type { Schemas } from '#client/index.ts';
import { Lines } from '#console/charts/lines.tsx';
import { Facts } from '#console/parts/facts.tsx';
import { Figure, type TableOfFigure } from '#console/parts/figures/figure.tsx';
import { trialFacts, Verdict } from '#console/parts/runs/judged.tsx';
import { Source } from '#console/parts/source.tsx';
import { StockLink } from '#console/parts/tables/columns.tsx';
import { DataTable, type Column } from '#console/parts/tables/data-table.tsx';
import {
  day,
  fixed,
  monthName,
  NONE,
  number,
  percent,
  rupiah,
  signedPercent,
} from '#console/words/formats.ts';
import { shared } from '#console/words/shared.ts';
import { fallsFrom, monthlyReturns, type YearOfReturns } from './monthly-returns.ts';
import { say } from './words.ts';

type Result = Schemas['SimulationResult'];

/** What became of the money, beside what it would have become without the picks. */
export function SimulationResult({ of }: { of: Result }) {
  const source = {
    datasetVersion: of.diag.dataset_version,
    asOf: of.to,
    brokerData: of.diag.broker_data,
  };
  return (
    <>
      <Verdict of={of} />
      {of.missing_text && <p class="notice">{of.missing_text}</p>}
      <Summary of={of} />
      <Comparison of={of} />
      <EquityFigures of={of} source={source} />
      <Months of={of} />
      <Falls of={of} />
      <Capacity of={of} />
      <Trades of={of} />
      <Source {...source} />
    </>
  );
}

function Summary({ of }: { of: Result }) {
  const { trials, comparisons, if_counted: counted } = of;
  return (
    <Facts
      facts={[
        [say.end, rupiah(of.end_idr), signedPercent(of.total_return_pct)],
        [say.exposure, percent(of.exposure_pct), say.exposureNote],
        [say.turnover, fixed(of.turnover, 1), say.turnoverNote],
        [say.costs, rupiah(of.costs_idr), say.costsNote],
        [
          shared.betterThanRandom,
          percent(comparisons.random.better_than_random_pct, 0),
          say.draws(number(comparisons.random.draws)),
        ],
        ...trialFacts(trials),
        [say.ifCounted, signedPercent(counted.total_return_pct), say.ifCountedNote(number(of.missed_count))],
      ]}
    />
  );
}

interface Compared {
  name: string;
  totalPct: number;
  endIdr?: number;
  figures?: Result['comparisons']['equal_weight'];
  range?: string;
}

/** The account beside three others under the same costs. */
function Comparison({ of }: { of: Result }) {
  const { equal_weight, random, cash } = of.comparisons;
  const rows: Compared[] = [
    { name: say.account, totalPct: of.total_return_pct, endIdr: of.end_idr, figures: of },
    {
      name: shared.allLiquid,
      totalPct: equal_weight.total_return_pct,
      endIdr: equal_weight.end_idr,
      figures: equal_weight,
    },
    {
      name: say.random,
      totalPct: random.median_pct,
      range: `${signedPercent(random.low_pct)} – ${signedPercent(random.high_pct)}`,
    },
    { name: say.cash, totalPct: cash.total_return_pct, endIdr: cash.end_idr },
  ];
  const column = (title: string, shown: (row: Compared) => string): Column<Compared> => ({
    title,
    isNumber: true,
    of: shown,
  });
  return (
    <DataTable
      caption={say.comparison}
      showsCaption
      rows={rows}
      keyOf={({ name }) => name}
      columns={[
        { title: say.money, of: ({ name }) => name },
        column(
          shared.return,
          ({ totalPct, range }) => signedPercent(totalPct) + (range ? ` (${range})` : ''),
        ),
        column(say.end, ({ endIdr }) => rupiah(endIdr)),
        column(say.annual, ({ figures }) => signedPercent(figures?.annual_return_pct)),
        column(say.volatility, ({ figures }) => percent(figures?.annual_volatility_pct)),
        column('Sharpe', ({ figures }) => fixed(figures?.sharpe, 2)),
        column('Sortino', ({ figures }) => fixed(figures?.sortino, 2)),
        column(shared.deepestFall, ({ figures }) => percent(figures?.max_drawdown_pct)),
      ]}
    />
  );
}

/** Equity and drawdown, each beside that of all liquid stocks. The zero line is money that lies idle. */
function EquityFigures({ of: { days }, source }: { of: Result; source: Parameters<typeof Source>[0] }) {
  const { date, equity_idr, equal_weight_idr, exposure_pct } = days;
  const ends = [day(date[0]), day(date.at(-1))] as const;
  const linesOf = (shown: (values: readonly number[]) => number[]) =>
    [
      { name: say.account, kind: 'first', values: shown(equity_idr) },
      { name: shared.allLiquid, kind: 'second', values: shown(equal_weight_idr) },
    ] as const;
  const sinceStart = ([first, ...later]: readonly number[]) =>
    [first!, ...later].map((value) => 100 * (value / first! - 1));
  const [returns, falls] = [linesOf(sinceStart), linesOf(fallsFrom)];
  const monthEnds = date
    .map((_, at) => at)
    .filter((at) => date[at + 1]?.slice(0, 7) !== date[at]!.slice(0, 7));
  const table: TableOfFigure<number> = {
    caption: say.monthEnds,
    rows: monthEnds,
    keyOf: (at) => date[at]!,
    columns: [
      { title: shared.date, of: (at) => day(date[at]) },
      { title: say.equity, isNumber: true, of: (at) => rupiah(equity_idr[at]) },
      { title: say.exposure, isNumber: true, of: (at) => percent(exposure_pct[at]) },
      ...returns.map(({ name, values }) => ({
        title: name,
        isNumber: true,
        of: (at: number) => signedPercent(values[at]),
      })),
      ...falls.map(({ name, values }) => ({
        title: say.fallOf(name),
        isNumber: true,
        of: (at: number) => percent(values[at]),
      })),
    ],
  };
  return (
    <div class="two">
      <Figure title={say.returns} source={source} table={table}>
        <Lines label={say.returns} lines={returns} ends={ends} format={(value) => signedPercent(value)} />
      </Figure>
      <Figure title={say.drawdown} source={source} table={table}>
        <Lines label={say.drawdown} lines={falls} ends={ends} format={(value) => percent(value)} />
      </Figure>
    </div>
  );
}

function Months({ of }: { of: Result }) {
  const months = Array.from({ length: 12 }, (_, month): Column<YearOfReturns> => ({
    title: monthName(month),
    isNumber: true,
    of: ({ months }) => <Return pct={months[month]} />,
  }));
  return (
    <DataTable
      caption={say.months}
      showsCaption
      rows={monthlyReturns(of)}
      keyOf={({ year }) => year}
      columns={[
        { title: shared.year, of: ({ year }) => year },
        ...months,
        { title: say.wholeYear, isNumber: true, of: ({ whole }) => <Return pct={whole} /> },
        { title: shared.allLiquid, isNumber: true, of: ({ equalWeight }) => <Return pct={equalWeight} /> },
      ]}
    />
  );
}

function Return({ pct }: { pct: number | undefined }) {
  if (pct === undefined) return <>{NONE}</>;
  return <span class={pct < 0 ? 'failed' : ''}>{signedPercent(pct)}</span>;
}

function Falls({ of: { drawdowns } }: { of: Result }) {
  if (drawdowns.length === 0) return null;
  return (
    <DataTable
      caption={say.falls}
      showsCaption
      rows={drawdowns}
      keyOf={({ from }) => from}
      columns={[
        { title: say.highOn, of: ({ from }) => day(from) },
        { title: say.lowestOn, of: ({ lowest }) => day(lowest) },
        { title: say.recoveredOn, of: ({ recovered }) => day(recovered) },
        { title: say.depth, isNumber: true, of: ({ depth_pct }) => percent(depth_pct) },
      ]}
    />
  );
}

function Capacity({ of: { capacity } }: { of: Result }) {
  return (
    <DataTable
      caption={say.capacity}
      showsCaption
      rows={capacity}
      keyOf={({ capital_idr }) => String(capital_idr)}
      columns={[
        { title: say.capital, of: ({ capital_idr }) => rupiah(capital_idr) },
        {
          title: shared.return,
          isNumber: true,
          of: ({ total_return_pct }) => signedPercent(total_return_pct),
        },
        {
          title: say.annual,
          isNumber: true,
          of: ({ annual_return_pct }) => signedPercent(annual_return_pct),
        },
        { title: say.exposure, isNumber: true, of: ({ exposure_pct }) => percent(exposure_pct) },
        { title: say.thin, isNumber: true, of: ({ thin_orders }) => number(thin_orders) },
      ]}
    />
  );
}

/** Newest rows that a table shows; the API has up to 2,000. */
const SHOWN = 50;

/** What was bought, with the reason of each sale, and what could not be bought. */
function Trades({ of }: { of: Schemas['SimulationResult'] }) {
  const trades = of.trades.slice(-SHOWN).reverse();
  const missed = of.missed.slice(-SHOWN).reverse();
  return (
    <>
      <h2>{say.trades(number(of.trade_count))}</h2>
      {trades.length < of.trade_count && <p class="minor">{say.newest(number(trades.length))}</p>}
      {trades.length > 0 && (
        <DataTable
          caption={say.tradesCaption}
          rows={trades}
          keyOf={(row) => `${row.ticker} ${row.bought_on}`}
          columns={[
            { title: shared.ticker, of: ({ ticker }) => <StockLink to={ticker} /> },
            { title: say.boughtOn, of: (row) => day(row.bought_on) },
            { title: shared.rank, isNumber: true, of: ({ rank }) => number(rank) },
            { title: say.shares, isNumber: true, of: ({ shares }) => number(shares) },
            { title: say.price, isNumber: true, of: ({ price }) => fixed(price, 2) },
            { title: say.paid, isNumber: true, of: (row) => rupiah(row.paid_idr) },
            { title: say.soldOn, of: (row) => day(row.sold_on) },
            { title: say.received, isNumber: true, of: (row) => rupiah(row.received_idr) },
            { title: shared.why, of: (row) => say.exits[row.exit_reason] },
            { title: shared.return, isNumber: true, of: (row) => signedPercent(row.return_pct) },
          ]}
        />
      )}
      <h2>{say.missed(number(of.missed_count))}</h2>
      {missed.length < of.missed_count && <p class="minor">{say.newest(number(missed.length))}</p>}
      {missed.length > 0 && (
        <DataTable
          caption={say.missedCaption}
          rows={missed}
          keyOf={(row) => `${row.ticker} ${row.picked_on}`}
          columns={[
            { title: shared.ticker, of: ({ ticker }) => <StockLink to={ticker} /> },
            { title: say.pickedOn, of: (row) => day(row.picked_on) },
            { title: shared.why, of: ({ why }) => say.misses[why] },
            { title: say.asked, isNumber: true, of: ({ asked }) => number(asked) },
            { title: say.bought, isNumber: true, of: ({ bought }) => number(bought) },
          ]}
        />
      )}
    </>
  );
}
