import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Schemas } from '#client/index.ts';
import { DataTable } from '#console/parts/data-table.tsx';
import { tickerColumn } from '#console/parts/ticker-column.tsx';
import { Loaded, useLoadingOn } from '#console/parts/loading.tsx';
import { Source } from '#console/parts/source.tsx';
import { goTo, linkTo, place } from '#console/routing.ts';
import { client } from '#console/session/session.ts';
import { day, number } from '#console/words/formats.ts';
import { shared } from '#console/words/shared.ts';
import { words } from './words.ts';

/** As many as one page of the API holds. */
const STOCKS = 1_000;

/** The stocks of the dataset, or those that a search finds. The search is a choice of the address. Each leads to its page. */
export function StocksPage() {
  const search = place.value.choices.get('search') ?? '';
  return (
    <>
      <h1>{words.value.title}</h1>
      <SearchForm search={search} />
      <Stocks key={search} search={search} />
    </>
  );
}

function SearchForm({ search }: { search: string }) {
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    input.current!.value = search;
  }, [search]);
  return (
    <form
      class="inline"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        const wanted = input.current!.value.trim();
        goTo(linkTo('stocks', '', wanted === '' ? {} : { search: wanted }));
      }}
    >
      <label for="search">{words.value.search}</label>
      <input id="search" type="search" ref={input} maxLength={64} autocomplete="off" spellcheck={false} />
      <button type="submit">{shared.value.show}</button>
    </form>
  );
}

function Stocks({ search }: { search: string }) {
  const say = words.value;
  const stocks = useLoadingOn(
    ['dataset.published'],
    (signal) => client.value.data.stocks({ limit: STOCKS, ...(search && { search }), signal }).first(),
    [],
  );
  return (
    <Loaded of={stocks}>
      {({ stocks: rows, count, has_more, as_of, dataset_version }) => {
        if (rows.length === 0) return <p>{say.none(search)}</p>;
        return (
          <>
            <Table rows={rows} />
            <Source datasetVersion={dataset_version} asOf={as_of} />
            {has_more && <p class="minor">{say.first(number(count))}</p>}
          </>
        );
      }}
    </Loaded>
  );
}

function Table({ rows }: { rows: readonly Schemas['ListedStock'][] }) {
  const say = words.value;
  return (
    <DataTable
      name="stocks"
      caption={say.title}
      rows={rows}
      keyOf={({ ticker }) => ticker}
      columns={[
        tickerColumn(),
        {
          title: say.name,
          field: 'name',
          value: ({ name }) => name,
          of: ({ name, status }) => (
            <>
              {name ?? ''}
              {status === 'delisted' && <small class="failed"> {say.delisted}</small>}
            </>
          ),
        },
        {
          title: say.sector,
          field: 'sector',
          value: ({ sector }) => sector,
          of: ({ sector }) => sector ?? '',
        },
        { title: say.board, field: 'board', value: ({ board }) => board, of: ({ board }) => board ?? '' },
        {
          title: say.listedOn,
          field: 'listed_on',
          value: ({ listed_on }) => listed_on,
          of: ({ listed_on }) => day(listed_on),
        },
        {
          title: say.lastTraded,
          field: 'last_traded_date',
          value: ({ last_traded_date }) => last_traded_date,
          of: ({ last_traded_date }) => day(last_traded_date),
        },
      ]}
    />
  );
}
