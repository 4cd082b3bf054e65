import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseDocumentText, type DocumentText } from './document.ts';
import { documentOf, type Document } from './document.ts';

/** What clients are asked to accept when they name no document, by the contract. */
const REQUIRED_DOCUMENT = 'fair_disclaimer';
const SHIPPED_FOLDER = fileURLToPath(new URL('../documents', import.meta.url));

const DOCUMENT_ID = /^[a-z0-9_]{1,64}$/;
const FILE_NAME = /^([a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*)\.md$/;
/** Far above any text that somebody reads before accepting it, and far below what one answer may carry. */
const MAX_BYTES = 100_000;

/**
 * Reads every document of a folder, by default of the one that comes with the service, from files named
 * `<document_id>/<locale>.md`. Hidden files are passed over: editors, and volumes that a cluster mounts, have some.
 * @throws Error naming the first file or folder that is wrong: better no service than a gate before the wrong text.
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

/** What goes wrong with a path begins with it. */
async function naming<T>(where: string, work: (where: string) => Promise<T>): Promise<T> {
  try {
    return await work(where);
  } catch (error) {
    throw new Error(`${where}: ${(error as Error).message}`, { cause: error });
  }
}
