import { useEffect, useRef, useState } from 'preact/hooks';
import type { Schemas } from '#client/index.ts';
import { goTo, linkTo } from '#console/routing.ts';
import { client } from '#console/session/session.ts';
import { shell } from '#console/words/shell.ts';

type Stock = Schemas['ListedStock'];

/** The key that brings the focus here from anywhere. */
export const SEARCH_KEY = '/';
const ID = 'stock-search';
const SHOWN = 8;
/** Long enough that typing a word sends one request, and too short to be noticed. */
const PAUSE_MS = 150;

/** Finds a stock by ticker or name, from any page. */
export function StockSearch() {
  const say = shell.value;
  const [typed, setTyped] = useState('');
  const { stocks, close } = useFound(typed);
  const [hasFocus, setHasFocus] = useState(false);
  // What is found after the field was left is not shown.
  const isOpen = hasFocus && stocks.length > 0;
  const [at, setAt] = useState(0);
  const chosen = stocks[Math.min(at, stocks.length - 1)];
  const open = (stock: Stock | undefined) => {
    // A ticker that was typed quickly is not found yet.
    const ticker = stock?.ticker ?? typed.trim().toUpperCase();
    if (ticker === '') return;
    setTyped('');
    close();
    goTo(linkTo('market', ticker));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (step !== undefined && stocks.length > 0) {
      event.preventDefault();
      setAt((now) => (now + step + stocks.length) % stocks.length);
    }
    if (event.key === 'Escape') setTyped('');
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
        aria-controls={`${ID}-found`}
        aria-autocomplete="list"
        {...(chosen && { 'aria-activedescendant': `${ID}-${chosen.ticker}` })}
        placeholder={`${say.findStock} (${SEARCH_KEY})`}
        value={typed}
        maxLength={64}
        autocomplete="off"
        spellcheck={false}
        onInput={({ currentTarget }) => {
          setTyped(currentTarget.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
        onFocus={() => setHasFocus(true)}
        onBlur={() => {
          setHasFocus(false);
          close();
        }}
      />
      <ul id={`${ID}-found`} class="options" role="listbox" aria-label={say.findStock} hidden={!isOpen}>
        {stocks.map((stock) => (
          <li
            key={stock.ticker}
            id={`${ID}-${stock.ticker}`}
            role="option"
            aria-selected={stock === chosen}
            // Before the field loses the focus, which closes the list.
            onMouseDown={(event) => {
              event.preventDefault();
              open(stock);
            }}
          >
            <strong>{stock.ticker}</strong> {stock.name}
          </li>
        ))}
      </ul>
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
