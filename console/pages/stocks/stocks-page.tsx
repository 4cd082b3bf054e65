import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Schemas } from '#client/index.ts';
import { goTo, linkTo, place } from '#console/browser/routing.ts';
import { Loaded, useLoadingOn } from '#console/parts/loading.tsx';
import { Question } from '#console/parts/question.tsx';
import { Source } from '#console/parts/source.tsx';
import { columnsFor, tickerColumn } from '#console/parts/tables/columns.tsx';
import { DataTable } from '#console/parts/tables/data-table.tsx';
import { client } from '#console/session/session.ts';
import { day, number } from '#console/words/formats.ts';
import { inLanguages } from '#console/words/in-languages.ts';
import { shared } from '#console/words/shared.ts';

const say = inLanguages({
  title: ['Stocks', 'Saham'],
  search: ['Code or name', 'Kode atau nama'],
  sector: ['Sector', 'Sektor'],
  board: ['Board', 'Papan'],
  listedOn: ['Listed on', 'Tercatat sejak'],
  lastTraded: ['Last traded', 'Terakhir diperdagangkan'],
  delisted: ['Delisted', 'Tidak tercatat lagi'],
  none: (search: string) => [
    `No stock has a code or name like “${search}”.`,
    `Tidak ada saham dengan kode atau nama seperti “${search}”.`,
  ],
  first: (count: string) => [
    `The first ${count} by code. A search finds the others.`,
    `${count} yang pertama menurut kode. Yang lain dapat dicari.`,
  ],
});

/** As many as one page of the API holds. */
const STOCKS = 1_000;

/** The stocks of the dataset, or those that a search finds. The search is a choice of the address. Each leads to its page. */
export function StocksPage() {
  const search = place.value.choices.get('search') ?? '';
  return (
    <>
      <h1>{say.title}</h1>
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
    <Question
      id="search"
      type="search"
      label={say.search}
      button={shared.show}
      inputRef={input}
      maxLength={64}
      enter={(wanted) => goTo(linkTo('stocks', '', wanted === '' ? {} : { search: wanted }))}
    />
  );
}

function Stocks({ search }: { search: string }) {
  const stocks = useLoadingOn(['dataset.published'], (signal) =>
    client.value.data.stocks({ limit: STOCKS, ...(search && { search }), signal }).first(),
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
  const { text } = columnsFor<Schemas['ListedStock']>();
  return (
    <DataTable
      name="stocks"
      caption={say.title}
      rows={rows}
      keyOf={({ ticker }) => ticker}
      columns={[
        tickerColumn(),
        {
          ...text(shared.name, 'name'),
          of: ({ name, status }) => (
            <>
              {name ?? ''}
              {status === 'delisted' && <small class="failed"> {say.delisted}</small>}
            </>
          ),
        },
        text(say.sector, 'sector'),
        text(say.board, 'board'),
        text(say.listedOn, 'listed_on', day),
        text(say.lastTraded, 'last_traded_date', day),
      ]}
    />
  );
}
