/** Letters and digits; everything else separates words. */
const WORD = /[\p{L}\p{N}]+/gu;

/**
 * A test of tickers and company names for a search: the ticker begins with it, or each of its words begins a word of the name.
 * Case makes no difference. A search without a letter or digit finds nothing.
 */
export function stockSearch(search: string): (ticker: string, name: string) => boolean {
  const code = search.trim().toUpperCase();
  const wanted = wordsOf(search);
  if (wanted.length === 0) return () => false;
  return (ticker, name) => {
    if (ticker.startsWith(code)) return true;
    const words = wordsOf(name);
    return wanted.every((part) => words.some((word) => word.startsWith(part)));
  };
}

function wordsOf(text: string): string[] {
  return text.toUpperCase().match(WORD) ?? [];
}
