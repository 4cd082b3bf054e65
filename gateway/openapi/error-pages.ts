import { status } from '@grpc/grpc-js';
import { Router, type RequestHandler } from 'express';
import { ERROR_ADVICE } from '#shared/error-advice.ts';
import { ERROR_TABLE, isErrorCode, type ErrorCode } from '#shared/error-codes.ts';
import { ServiceError } from '#shared/service-error.ts';
import { ERROR_PAGES, errorPage } from '../responses/errors.ts';
import { isOverHttp } from '../schemas/error.ts';
import { pagePolicy } from '../server/page-policy.ts';

const STYLE_SHEET = '/api/docs/errors.css';

const STYLE = `:root { color-scheme: light dark; }
body { max-width: 42rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.6 system-ui, sans-serif; }
h1, code { font-family: ui-monospace, monospace; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; }
h2 { font-size: 1.1rem; margin: 1.5rem 0 0; }
h2 + p { margin-top: 0.2rem; }
`;

const MARKDOWN = 'text/markdown';
/** The first is for those who accept any. */
const MEDIA_TYPES = ['text/html', MARKDOWN];

/** A heading with its texts, in which backticks mark code. */
interface Section {
  heading: string;
  /** The page that the heading leads to. */
  link?: string;
  texts: string[];
}

interface Page {
  title: string;
  sections: Section[];
}

const INDEX: Page = {
  title: 'Error codes',
  sections: (Object.keys(ERROR_TABLE) as ErrorCode[]).map((code) => ({
    heading: code,
    link: errorPage(code),
    texts: [statusOf(code), ERROR_TABLE[code].meaning],
  })),
};

/**
 * Serves a page for each error code, which every error names in `docs_url`, and a list of all codes: as HTML, or as Markdown for
 * those who ask for it by Accept or by the suffix `.md`.
 */
export function errorPages(): Router {
  const router = Router({ caseSensitive: true });
  router.get(STYLE_SHEET, (_req, res) => void res.type('text/css').send(STYLE));
  router.get(
    [ERROR_PAGES, `${ERROR_PAGES}.md`],
    pagePolicy(),
    sendPage(() => INDEX),
  );
  router.get(`${ERROR_PAGES}/:code`, pagePolicy(), sendPage(pageOf));
  return router;
}

/** @param pageFor returns the page for the last step of the path, without its suffix */
function sendPage(pageFor: (name: string) => Page): RequestHandler {
  return (req, res) => {
    const name = req.path.split('/').findLast((step) => step !== '')!;
    const page = pageFor(name.replace(/\.md$/, ''));
    const isMarkdown = name.endsWith('.md') || req.accepts(MEDIA_TYPES) === MARKDOWN;
    res.vary('Accept').set('Cache-Control', 'public, max-age=3600');
    res.type(isMarkdown ? MARKDOWN : 'text/html').send(isMarkdown ? markdownOf(page) : htmlOf(page));
  };
}

function pageOf(code: string): Page {
  if (!isErrorCode(code))
    throw new ServiceError('not_found', `There is no such error code. All are listed at ${ERROR_PAGES}.`);
  const { cause, cure } = ERROR_ADVICE[code];
  return {
    title: code,
    sections: [
      { heading: 'What it means', texts: [ERROR_TABLE[code].meaning, statusOf(code)] },
      { heading: 'Why it happens', texts: [cause] },
      { heading: 'What to do', texts: [cure] },
    ],
  };
}

function statusOf(code: ErrorCode): string {
  const { http, grpc } = ERROR_TABLE[code];
  const overGrpc = `gRPC status \`${status[grpc]}\``;
  return isOverHttp(code) ? `HTTP status ${http}, ${overGrpc}.` : `Only in gRPC calls: ${overGrpc}.`;
}

function markdownOf({ title, sections }: Page): string {
  const blocks = sections.flatMap(({ heading, link, texts }) => [
    `## ${link === undefined ? heading : `[${heading}](${link}.md)`}`,
    ...texts,
  ]);
  return `${[`# ${title}`, ...blocks, `[All error codes](${ERROR_PAGES}.md)`].join('\n\n')}\n`;
}

function htmlOf({ title, sections }: Page): string {
  const blocks = sections.flatMap(({ heading, link, texts }) => [
    `<h2>${link === undefined ? heading : `<a href="${link}">${heading}</a>`}</h2>`,
    ...texts.map((text) => `<p>${inHtml(text)}</p>`),
  ]);
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title} · Saring API</title>
    <link rel="stylesheet" href="${STYLE_SHEET}">
  </head>
  <body>
    <main>
      <h1>${title}</h1>
      ${blocks.join('\n      ')}
    </main>
    <p><a href="${ERROR_PAGES}">All error codes</a></p>
  </body>
</html>
`;
}

function inHtml(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return escaped.replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}
