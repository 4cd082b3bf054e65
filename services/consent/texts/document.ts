import { hash } from 'node:crypto';
import type { DocumentText } from './document-text.ts';

/** A disclaimer in every language there is of it. */
export interface Document {
  id: string;
  /** The same in every language, and another as soon as any of them reads differently. */
  version: string;
  /** By locale, first the one that is shown to those who ask for none. */
  texts: ReadonlyMap<string, DocumentText>;
}

/** The users of the service read Indonesian. */
const FIRST_LOCALE = 'id';
/** 128 bits: no two texts that anybody writes share them. */
const VERSION_DIGITS = 32;

/** @param texts by locale, in any order. */
export function documentOf(id: string, texts: Record<string, DocumentText>): Document {
  const sorted = Object.entries(texts).toSorted(byLocale);
  return { id, version: versionOf(sorted), texts: new Map(sorted) };
}

/**
 * The start of the SHA-256, in hex, of the JSON list of [locale, title, text] in the order of the locales. Adding or
 * removing a language is a change as well: who accepted can have been shown any of them.
 */
function versionOf(sorted: [string, DocumentText][]): string {
  const content = JSON.stringify(sorted.map(([locale, { title, text }]) => [locale, title, text]));
  return hash('sha256', content, 'hex').slice(0, VERSION_DIGITS);
}

function byLocale([a]: [string, unknown], [b]: [string, unknown]): number {
  const [rankA, rankB] = [a, b].map((locale) => (locale === FIRST_LOCALE ? '' : locale)) as [string, string];
  return rankA < rankB ? -1 : 1;
}
