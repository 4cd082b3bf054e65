import type { Language } from '#shared/text/languages.ts';
import type { Suggestion } from './results/empty-block.ts';
import { localisedJson, withReplacements } from './reasons/localised-json.ts';

/** A result as a client of this language reads it after parsing. */
export function asRead<T>(result: unknown, language: Language = 'id'): T {
  const { json, english } = localisedJson(result);
  return JSON.parse(withReplacements(Buffer.from(json), language === 'en' ? english : [])) as T;
}

/** Matches words that Bahasa Indonesia texts of screens and services contain and English texts never do. */
export const INDONESIAN =
  /\b(dan|yang|tidak|saham|hari|dari|untuk|akan|dengan|pada|atau|harga|naik|turun|sampai|lebih|bila|belum)\b/i;

/** A suggestion as a client reads it. */
export type ReadSuggestion = Pick<Suggestion, 'param' | 'value'> &
  Record<'label' | 'current' | 'suggested' | 'why', string>;

/** What a caller who follows a suggestion changes. */
export function followed({ param, value }: Pick<Suggestion, 'param' | 'value'>): object {
  return { [param]: value };
}

/** How many names a suggestion says it lets through. */
export function promised({ why }: { why: string }): number {
  return Number(/(\S+) saham akan lolos\./.exec(why)?.[1]?.replaceAll('.', ''));
}
