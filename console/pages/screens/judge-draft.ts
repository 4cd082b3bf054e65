import { evaluateDay } from '#fields/evaluation/evaluate.ts';
import { columnOf, isNumbers, valueAt, type MarketColumns } from '#fields/evaluation/market-columns.ts';
import type { RuleFields } from '#fields/field-type.ts';
import { needsOf } from '#fields/rules/needs.ts';
import { parseRules } from '#fields/rules/parse-rules.ts';
import { RulesError } from '#fields/rules/rules-error.ts';
import type { Rules } from '#fields/rules/rules.ts';
import { requestOf, type Draft } from './draft.ts';

/** Rules that are being written: what they mean, or what is wrong with them. */
export type Written = { rules: Rules } | { mistake: RulesError; isUnfinished: boolean };

/** A mistake in the last word counts as unfinished, since that word may go on. */
export function writtenOf(text: string, fields: RuleFields): Written {
  try {
    return { rules: parseRules(text, fields) };
  } catch (mistake) {
    if (!(mistake instanceof RulesError)) throw mistake;
    const from = 'column' in mistake.place ? mistake.place.column - 1 : 0;
    return { mistake, isUnfinished: /^[\w.'"]*$/.test(text.slice(from)) };
  }
}

export interface Counted {
  matched: number;
  screened: number;
  /** In the order of the rules. */
  tickers: string[];
}

/** Whom rules let pass, or why only the server can say: it knows other days, watchlists and the members of universes. */
export function count(
  rules: Rules,
  draft: Draft,
  market: MarketColumns,
): Counted | 'looks back' | 'named elsewhere' {
  if (needsOf(rules).daysBack > 0) return 'looks back';
  const listed = stocksAmong(draft, market);
  if (!listed) return 'named elsewhere';
  const { matched, stocks } = evaluateDay(rules, { ...market, listed }, 0);
  return {
    matched,
    screened: listed.filter((one) => one === 1).length,
    tickers: stocks.map(({ ticker }) => ticker),
  };
}

/** 1 for the stocks at which a screen looks; undefined where they are not known here. */
function stocksAmong(draft: Draft, market: MarketColumns): Uint8Array | undefined {
  const { universe } = requestOf(draft);
  if (!universe) return market.listed;
  if (universe.sector !== undefined) {
    const sectors = columnOf(market, 'sector');
    return market.listed.map((_, stock) => Number(valueAt(sectors, stock) === universe.sector));
  }
  const tickers = new Set(universe.tickers?.map((ticker) => ticker.toUpperCase()));
  const isKnown = universe.tickers && [...tickers].every((ticker) => /^\w+$/.test(ticker));
  return isKnown ? Uint8Array.from(market.tickers, (ticker) => Number(tickers.has(ticker))) : undefined;
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
