import { useEffect, useRef, useState } from 'preact/hooks';
import type { Schemas } from '#client/index.ts';
import { goTo, linkTo } from '../browser/routing.ts';
import { useOptions } from '../parts/options.tsx';
import { client } from '../session/session.ts';
import { say } from './words.ts';

type Stock = Schemas['ListedStock'];

/** The key that brings the focus here from anywhere. */
export const SEARCH_KEY = '/';
const ID = 'stock-search';
const SHOWN = 8;
/** Long enough that typing a word sends one request, and too short to be noticed. */
const PAUSE_MS = 150;

/** Finds a stock by ticker or name, from any page. */
export function StockSearch() {
  const [typed, setTyped] = useState('');
  const { stocks, close } = useFound(typed);
  const [hasFocus, setHasFocus] = useState(false);
  // What is found after the field was left is not shown.
  const isOpen = hasFocus && stocks.length > 0;
  const open = (stock: Stock | undefined) => {
    // A ticker that was typed quickly is not found yet.
    const ticker = stock?.ticker ?? typed.trim().toUpperCase();
    if (ticker === '') return;
    setTyped('');
    close();
    goTo(linkTo('market', ticker));
  };
  const { chosen, restart, move, attributes, list } = useOptions({
    id: ID,
    label: say.findStock,
    options: stocks,
    isOpen,
    isOneChosen: true,
    accept: open,
    shown: ({ ticker, name }) => (
      <>
        <strong>{ticker}</strong> {name}
      </>
    ),
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (!move(event) && event.key === 'Escape') setTyped('');
  };
  return (
    <form
      class="stock-search"
      role="search"
      aria-label={say.findStock}
      onSubmit={(event) => {
        event.preventDefault();
        open(chosen);
      }}
    >
      <input
        id={ID}
        type="text"
        role="combobox"
        aria-label={say.findStock}
        aria-expanded={isOpen}
        {...attributes}
        placeholder={`${say.findStock} (${SEARCH_KEY})`}
        value={typed}
        maxLength={64}
        autocomplete="off"
        spellcheck={false}
        onInput={({ currentTarget }) => {
          setTyped(currentTarget.value);
          restart();
        }}
        onKeyDown={onKeyDown}
        onFocus={() => setHasFocus(true)}
        onBlur={() => {
          setHasFocus(false);
          close();
        }}
      />
      {list}
    </form>
  );
}

/** The stocks whose ticker or name has what was typed, as soon as typing pauses. */
function useFound(typed: string) {
  const [stocks, setStocks] = useState<readonly Stock[]>([]);
  const search = typed.trim();
  const latest = useRef('');
  latest.current = search;
  useEffect(() => {
    setStocks([]);
    if (search === '') return undefined;
    const leaving = new AbortController();
    const timer = setTimeout(() => {
      client.value.data
        .stocks({ search, limit: SHOWN, signal: leaving.signal })
        .first()
        // Without an answer there is nothing to choose from, and Enter still opens a ticker.
        .then(
          ({ stocks: found }) => setStocks(latest.current === search ? found : []),
          () => {},
        );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [search]);
  return { stocks, close: () => setStocks([]) };
}

export function focusStockSearch(): void {
  document.getElementById(ID)?.focus();
}
