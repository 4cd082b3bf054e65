/** Enough for every browser. The rest of a longer header is ignored. */
const MAX_LENGTH = 1_000;
const RANGE = /^([a-z]{1,8}(?:-[a-z0-9]{1,8})*|\*)(?:\s*;\s*q=([01](?:\.\d{0,3})?))?$/i;

/**
 * The offered language tag that an Accept-Language header prefers; undefined without a match. `en` matches `en-GB` and the
 * reverse, after tags that match exactly. Malformed parts of the header are ignored.
 */
export function preferredOf(header: string | undefined, offered: readonly string[]): string | undefined {
  for (const range of rangesOf(header?.slice(0, MAX_LENGTH) ?? '')) {
    const found =
      range === '*'
        ? offered[0]
        : (offered.find((tag) => tag.toLowerCase() === range) ??
          offered.find((tag) => isKin(tag.toLowerCase(), range)));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The ranges of the header in lower case, most preferred first. */
function rangesOf(header: string): string[] {
  return header
    .split(',')
    .map((part) => RANGE.exec(part.trim()))
    .filter((match) => match !== null)
    .map(([, range, quality = '1']) => ({ range: range!.toLowerCase(), quality: Number(quality) }))
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .map(({ range }) => range);
}

function isKin(one: string, other: string): boolean {
  return one.startsWith(`${other}-`) || other.startsWith(`${one}-`);
}
