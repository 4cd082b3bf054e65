import { hash } from 'node:crypto';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** A disclaimer in all its languages. */
interface Document {
  id: string;
  /** The same for every language. It changes when the text of any language changes. */
  version: string;
  /** Texts by locale. The first one is shown to clients that ask for no language. */
  texts: ReadonlyMap<string, DocumentText>;
}

/** The users of the service read Indonesian. */
const FIRST_LOCALE = 'id';
/** 128 bits, so that no two texts share a version. */
const VERSION_DIGITS = 32;

/** @param texts by locale, in any order. */
export function documentOf(id: string, texts: Record<string, DocumentText>): Document {
  const sorted = Object.entries(texts).toSorted(byLocale);
  return { id, version: versionOf(sorted), texts: new Map(sorted) };
}

/**
 * The start of the SHA-256, in hex, of the JSON list of [locale, title, text], ordered by locale. Adding or removing a language
 * changes the version too, because an end user may have accepted the text in any language.
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
interface DocumentText {
  title: string;
  /** Markdown, without the title. */
  text: string;
}

const TITLE = /^# +(\S[^\n]*)\n/;

/**
 * Reads one file of a document: Markdown whose first line is its title. Line endings and trailing spaces are normalised, so
 * that an editor or a checkout that changes them does not change the text.
 * @throws Error saying what is wrong with the file.
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

/** The disclaimers as read at the start. Only a restart reads them again. */
export class Documents {
  readonly #documents: ReadonlyMap<string, Document>;

  constructor(documents: Document[]) {
    this.#documents = new Map(documents.map((document) => [document.id, document]));
  }

  /** @throws ServiceError not_found, naming the documents that exist. */
  get(id: string): Document {
    const document = this.#documents.get(id);
    if (document) return document;
    throw new ServiceError(
      'not_found',
      `There is no such document; there are ${[...this.#documents.keys()].join(', ')}.`,
    );
  }
}

/** The document in this language, or in its first one. @throws ServiceError not_found, naming the languages that exist. */
export function localTextOf({ id, texts }: Document, locale?: string): LocalText {
  const [first] = texts.keys();
  const wanted = locale ?? first!;
  const text = texts.get(wanted);
  if (text) return { ...text, locale: wanted };
  throw new ServiceError(
    'not_found',
    `${id} is not available in this language; available: ${[...texts.keys()].join(', ')}.`,
  );
}

/** The document that clients must accept when they name none, as the contract says. */
const REQUIRED_DOCUMENT = 'fair_disclaimer';
const SHIPPED_FOLDER = fileURLToPath(new URL('../documents', import.meta.url));

const DOCUMENT_ID = /^[a-z0-9_]{1,64}$/;
const FILE_NAME = /^([a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*)\.md$/;
/** Far longer than a text that people read before accepting it, and far below the size limit of a response. */
const MAX_BYTES = 100_000;

/**
 * Reads every document of a folder, by default the folder that comes with the service, from files named
 * `<document_id>/<locale>.md`. Hidden files are skipped: editors and volumes mounted by a cluster create some.
 * @throws Error naming the first file or folder that is wrong. No service is better than a gate that shows the wrong text.
 */
export async function loadDocuments(folder = SHIPPED_FOLDER): Promise<Document[]> {
  const ids = await namesIn(folder);
  if (!ids.includes(REQUIRED_DOCUMENT))
    throw new Error(`${folder}: must hold the folder ${REQUIRED_DOCUMENT}`);
  return Promise.all(ids.map((id) => loadDocument(folder, id)));
}

async function loadDocument(parent: string, id: string): Promise<Document> {
  const folder = path.join(parent, id);
  if (!DOCUMENT_ID.test(id))
    throw new Error(`${folder}: must be named by 1 to 64 of a-z, 0-9 and underscore`);
  const names = await namesIn(folder);
  if (names.length === 0) throw new Error(`${folder}: must hold a file <locale>.md`);
  const texts = await Promise.all(names.map((name) => naming(path.join(folder, name), loadText)));
  return documentOf(id, Object.fromEntries(texts));
}

async function loadText(file: string): Promise<[locale: string, DocumentText]> {
  const [, locale] = FILE_NAME.exec(path.basename(file)) ?? [];
  if (locale === undefined) throw new Error('must be named <locale>.md, as in id.md or en-GB.md');
  const bytes = await readFile(file);
  if (bytes.length > MAX_BYTES) throw new Error(`must have at most ${MAX_BYTES} bytes`);
  return [locale, parseDocumentText(decoded(bytes))];
}

function decoded(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new Error('must be UTF-8', { cause });
  }
}

async function namesIn(folder: string): Promise<string[]> {
  const names = await naming(folder, (where) => readdir(where));
  return names.filter((name) => !name.startsWith('.')).toSorted();
}

/** Runs `work` and puts the path at the start of its error message. */
async function naming<T>(where: string, work: (where: string) => Promise<T>): Promise<T> {
  try {
    return await work(where);
  } catch (error) {
    throw new Error(`${where}: ${(error as Error).message}`, { cause: error });
  }
}
