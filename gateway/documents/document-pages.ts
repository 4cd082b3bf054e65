import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { Router, type RequestHandler } from 'express';
import { invalidRequest, refuse } from '#foundation/errors/invalid-request.ts';
import type { FieldError } from '#foundation/errors/service-error.ts';
import { ERROR_PAGES } from '../responses/errors.ts';
import { sendJson } from '../responses/send-json.ts';
import { AN_HOUR, atFirstRequest, sharedFile, sharedText } from '../responses/shared-content.ts';
import { OWN, pagePolicy } from '../responses/page-policy.ts';
import { undecodable } from '../validation/validation.ts';
import { DocumentSearch, type Hit } from './document-search.ts';
import { DOCUMENTS, DOCUMENTS_ROOT, IMAGES_FOLDER, IMAGES_ROOT, pathOf, PROJECT } from './documents.ts';
import { inHtml, MARKDOWN, plainPage, wantsMarkdown } from './plain-page.ts';
import { Document, linksTo } from './read-document.ts';

const SEARCH = `${DOCUMENTS_ROOT}/search`;
/** Enough for a sentence, and so little that a search stays cheap. */
const MAX_QUERY_LENGTH = 100;

/**
 * Serves the documents of the project, as HTML or as Markdown, an index of them, and a search in them that needs no script and no
 * other server. Nothing is read before the first request for it.
 */
export function documentPages(): Router {
  const router = Router({ caseSensitive: true });
  const policy = pagePolicy({ imgSrc: OWN, formAction: OWN });
  const serve = (path: string, read: () => Document) =>
    router.get(
      [path, `${path}.md`],
      policy,
      atFirstRequest(() => bothForms(read())),
    );
  serve(DOCUMENTS_ROOT, indexOfDocuments);
  router.get(SEARCH, policy, search());
  for (const { documents } of DOCUMENTS)
    for (const { file } of documents) serve(pathOf(file)!, () => Document.read(file));
  router.use(IMAGES_ROOT, atFirstRequest(images));
  return router;
}

/** The document as HTML, or as Markdown for those who ask for it by Accept or by the suffix `.md`. */
function bothForms(document: Document): RequestHandler {
  const markdown = sharedText(MARKDOWN, document.markdown, AN_HOUR);
  const html = sharedText('text/html', page(document.title, document.toHtml()), AN_HOUR);
  return (req, res, next) => {
    res.vary('Accept');
    return (wantsMarkdown(req) ? markdown : html)(req, res, next);
  };
}

function page(title: string, content: string, query = ''): string {
  const links = [
    [DOCUMENTS_ROOT, 'All documents'],
    ['/api/docs', 'API reference'],
    [ERROR_PAGES, 'Error codes'],
  ].map(([path, name]) => `<a href="${path}">${name}</a>`);
  return plainPage({
    title,
    header: searchForm(query),
    content: `<article>\n${content}</article>`,
    links: links.join(' · '),
  });
}

function searchForm(query: string): string {
  return `<a href="${DOCUMENTS_ROOT}">Saring documents</a>
<form role="search" action="${SEARCH}">
<label>Words <input type="search" name="q" required maxlength="${MAX_QUERY_LENGTH}" value="${inHtml(query)}"></label>
<button>Search</button>
</form>`;
}

function indexOfDocuments(): Document {
  const groups = DOCUMENTS.map(({ readers, documents }) => `## ${readers}\n\n${linksTo(documents)}\n`);
  return new Document(`# Documents\n\n${groups.join('\n')}`);
}

function search(): RequestHandler {
  let indexed: Promise<DocumentSearch> | undefined;
  return async (req, res) => {
    refuse(undecodable(req));
    const query = queryOf(req.query['q']);
    const hits = (await (indexed ??= indexDocuments())).find(query);
    res.vary('Accept').set(AN_HOUR);
    if (req.accepts(['text/html', 'application/json']) === 'application/json')
      sendJson(res, 200, { query, count: hits.length, results: hits });
    else res.type('text/html').send(page('Search', hitsHtml(query, hits), query));
  };
}

/** @throws ServiceError invalid_request */
function queryOf(q: unknown): string {
  if (typeof q === 'string' && q.trim() !== '' && q.length <= MAX_QUERY_LENGTH) return q.trim();
  const mistake: FieldError = {
    loc: ['query', 'q'],
    msg: `is required once: the words to search for, 1 to ${MAX_QUERY_LENGTH} characters`,
    type: q === undefined ? 'missing' : 'value_error',
  };
  throw invalidRequest([mistake]);
}

/** Between two documents other requests have their turn: all of them take a tenth of a second. */
async function indexDocuments(): Promise<DocumentSearch> {
  const index = new DocumentSearch();
  for (const { file } of DOCUMENTS.flatMap(({ documents }) => documents)) {
    index.add(pathOf(file)!, Document.read(file));
    await setImmediate();
  }
  return index;
}

function hitsHtml(query: string, hits: Hit[]): string {
  const found = hits.map(({ title, heading, url, excerpt }) => {
    const name = heading === title ? title : `${title}: ${heading}`;
    return `<h2><a href="${url}">${inHtml(name)}</a></h2>\n<p>${inHtml(excerpt)}</p>\n`;
  });
  const none = hits.length === 0 ? '<p>No document has these words.</p>\n' : '';
  return `<h1>Search: ${inHtml(query)}</h1>\n${none}${found.join('')}`;
}

/** Routes of files that are there, so that no path leads elsewhere. */
function images(): Router {
  const router = Router({ caseSensitive: true });
  const folder = path.join(PROJECT, IMAGES_FOLDER);
  for (const name of readdirSync(folder))
    router.get(
      `/${name}`,
      atFirstRequest(() => sharedFile(path.extname(name), readFileSync(path.join(folder, name)))),
    );
  return router;
}
