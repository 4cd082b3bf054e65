import type { Schemas } from '#client/index.ts';
import { StockLink } from '#console/parts/tables/columns.tsx';
import { DataTable } from '#console/parts/tables/data-table.tsx';
import { day, fixed, number, rupiah, signedPercent } from '#console/words/formats.ts';
import { shared } from '#console/words/shared.ts';
import { say } from './words.ts';

/** Newest rows that a table shows; the API has up to 2,000. */
const SHOWN = 50;

/** What was bought, with the reason of each sale, and what could not be bought. */
export function Trades({ of }: { of: Schemas['SimulationResult'] }) {
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
            { title: say.rank, isNumber: true, of: ({ rank }) => number(rank) },
            { title: say.shares, isNumber: true, of: ({ shares }) => number(shares) },
            { title: say.price, isNumber: true, of: ({ price }) => fixed(price, 2) },
            { title: say.paid, isNumber: true, of: (row) => rupiah(row.paid_idr) },
            { title: say.soldOn, of: (row) => day(row.sold_on) },
            { title: say.received, isNumber: true, of: (row) => rupiah(row.received_idr) },
            { title: say.why, of: (row) => say.exits[row.exit_reason] },
            { title: say.return, isNumber: true, of: (row) => signedPercent(row.return_pct) },
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
            { title: say.why, of: ({ why }) => say.misses[why] },
            { title: say.asked, isNumber: true, of: ({ asked }) => number(asked) },
            { title: say.bought, isNumber: true, of: ({ bought }) => number(bought) },
          ]}
        />
      )}
    </>
  );
}
