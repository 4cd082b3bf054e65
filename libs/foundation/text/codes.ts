/** Codes of stocks and brokers are accepted in any case and with spaces around them, and are returned in upper case. */
export function codeOf(text: string): string {
  return text.trim().toUpperCase();
}

/** In a list of tickers, this and a name stand for the members of a universe. No ticker contains a colon. */
const UNIVERSE = 'UNIVERSE:';

/** The name of the universe that an upper-case code stands for; undefined if the code is a ticker. */
export function universeIn(code: string): string | undefined {
  return code.startsWith(UNIVERSE) ? code.slice(UNIVERSE.length) : undefined;
}

/** The codes without duplicates, in the order of their first mention. */
export function distinctCodes(texts: readonly string[]): string[] {
  return [...new Set(texts.map(codeOf))];
}
