import { hash } from 'node:crypto';
import { ServiceError } from '#shared/service-error.ts';

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

/** A document in one language, as it is shown. */
export interface DocumentText {
  title: string;
  /** Markdown below the title. */
  text: string;
}

const TITLE = /^# +(\S[^\n]*)\n/;

/**
 * Reads one file of a document: Markdown whose first line is its title. The kind of line ends and spaces before them are
 * evened out, so that an editor or a checkout that changes them changes no text.
 * @throws Error saying what is wrong with it.
 */
export function parseDocumentText(markdown: string): DocumentText {
  const even = markdown
    .replace(/^\uFEFF/, '')
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[ \t]+$/gm, '')
    .trim();
  const [heading, title] = TITLE.exec(even) ?? [];
  if (heading === undefined || title === undefined)
    throw new Error('must begin with its title, as in "# Title", and a text below it');
  return { title, text: even.slice(heading.length).trim() };
}

interface LocalText extends DocumentText {
  locale: string;
}

/** The disclaimers as they read now; they change with a restart alone. */
export class Documents {
  readonly #documents: ReadonlyMap<string, Document>;

  constructor(documents: Document[]) {
    this.#documents = new Map(documents.map((document) => [document.id, document]));
  }

  /** @throws ServiceError not_found, naming the documents there are. */
  get(id: string): Document {
    const document = this.#documents.get(id);
    if (document) return document;
    throw new ServiceError(
      'not_found',
      `There is no such document; there are ${[...this.#documents.keys()].join(', ')}.`,
    );
  }
}

/** The document in this language, or in its first. @throws ServiceError not_found, naming the languages there are. */
export function localTextOf({ id, texts }: Document, locale?: string): LocalText {
  const [first] = texts.keys();
  const wanted = locale ?? first!;
  const text = texts.get(wanted);
  if (text) return { ...text, locale: wanted };
  throw new ServiceError(
    'not_found',
    `${id} is not there in this language; there are ${[...texts.keys()].join(', ')}.`,
  );
}
