/** Codes of stocks and brokers are accepted in any case and with spaces around them, and are returned in upper case. */
export function codeOf(text: string): string {
  return text.trim().toUpperCase();
}

/** The codes without duplicates, in the order of their first mention. */
export function distinctCodes(texts: readonly string[]): string[] {
  return [...new Set(texts.map(codeOf))];
}
