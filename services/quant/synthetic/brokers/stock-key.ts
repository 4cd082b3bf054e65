/**
 * A ticker as words of a random stream, four letters a word. A stock's broker rows depend on its code and not on its place
 * in a dataset, which changes when another one is listed.
 */
export function stockKey(ticker: string): number[] {
  const words: number[] = [];
  for (let at = 0; at < ticker.length; at += 4) {
    let word = 0;
    for (let i = at; i < Math.min(at + 4, ticker.length); i++)
      word = (word << 8) | (ticker.charCodeAt(i) & 0xff);
    words.push(word);
  }
  return words;
}
