import { evaluateDay } from '#fields/evaluation/evaluate.ts';
import { columnOf, isNumbers, valueAt, type MarketColumns } from '#fields/evaluation/market-columns.ts';
import type { RuleFields } from '#fields/field-type.ts';
import { mayBeUnfinished } from '#fields/rules/completions.ts';
import { needsOf } from '#fields/rules/needs.ts';
import { parseRules } from '#fields/rules/parse-rules.ts';
import { RulesError } from '#fields/rules/rules-error.ts';
import type { Rules } from '#fields/rules/rules.ts';
import { requestOf, type Draft } from './draft.ts';

/** Rules that are being written: what they mean, or what is wrong with them. */
export type Written = { rules: Rules } | { mistake: RulesError; isUnfinished: boolean };

export function writtenOf(text: string, fields: RuleFields): Written {
  try {
    return { rules: parseRules(text, fields) };
  } catch (mistake) {
    if (!(mistake instanceof RulesError)) throw mistake;
    return { mistake, isUnfinished: mayBeUnfinished(text, mistake, fields) };
  }
}

interface Counted {
  matched: number;
  screened: number;
  /** In the order of the rules. */
  tickers: string[];
}

/**
 * Whom rules let pass, or why only the server can say: it knows other days, watchlists, the members of universes, and fields that were
 * imported since the values of the day were loaded.
 */
export function count(
  rules: Rules,
  draft: Draft,
  market: MarketColumns,
): Counted | 'looks back' | 'known elsewhere' {
  const { fields, daysBack } = needsOf(rules);
  if (daysBack > 0) return 'looks back';
  const listed = stocksAmong(draft, market);
  if (!listed || !fields.every((name) => Object.hasOwn(market.fields, name))) return 'known elsewhere';
  const { matched, stocks } = evaluateDay(rules, { ...market, listed }, 0);
  const screened = listed.filter((one) => one === 1).length;
  return { matched, screened, tickers: stocks.map(({ ticker }) => ticker) };
}

/** 1 for the stocks at which a screen looks; undefined where they are not known here. */
function stocksAmong(draft: Draft, market: MarketColumns): Uint8Array | undefined {
  const { universe } = requestOf(draft);
  if (!universe) return market.listed;
  if (universe.sector !== undefined) {
    const sectors = columnOf(market, 'sector');
    const isIt = (stock: number) =>
      `${valueAt(sectors, stock)}`.toLowerCase() === universe.sector.toLowerCase();
    const inSector = market.listed.map((_, stock) => Number(isIt(stock)));
    // An unknown sector is refused by the server.
    return inSector.includes(1) ? inSector : undefined;
  }
  if (!universe.tickers) return undefined;
  if (universe.tickers.length === 0) return market.listed;
  const tickers = new Set(universe.tickers.map((ticker) => ticker.toUpperCase()));
  if (![...tickers].every((ticker) => /^\w+$/.test(ticker))) return undefined;
  return Uint8Array.from(market.tickers, (ticker) => Number(tickers.has(ticker)));
}

/** Where the values of a number field lie on the day; undefined without any. */
export function spreadOf(
  field: string,
  market: MarketColumns,
): { lowest: number; median: number; highest: number } | undefined {
  const column = market.fields[field];
  if (!column || !isNumbers(column)) return undefined;
  const sorted = column.values.filter((value) => !Number.isNaN(value)).sort();
  const { length } = sorted;
  if (length === 0) return undefined;
  const shownAt = (at: number) => valueAt({ values: sorted }, at) as number;
  return { lowest: shownAt(0), median: shownAt(length >> 1), highest: shownAt(length - 1) };
}
