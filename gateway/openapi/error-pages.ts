import { status } from '@grpc/grpc-js';
import { Router, type RequestHandler } from 'express';
import { ERROR_ADVICE } from './error-advice.ts';
import { ERROR_TABLE, isErrorCode, type ErrorCode } from '#foundation/errors/error-codes.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { inHtml, MARKDOWN, plainPage, STYLE, STYLE_SHEET, wantsMarkdown } from '../documents/plain-page.ts';
import { ERROR_PAGES, errorPage } from '../responses/errors.ts';
import { AN_HOUR } from '../responses/shared-content.ts';
import { isOverHttp } from '../schemas/error.ts';
import { pagePolicy } from '../responses/page-policy.ts';

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
    const isMarkdown = wantsMarkdown(req);
    res.vary('Accept').set(AN_HOUR);
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
    ...texts.map((text) => `<p>${inlineHtml(text)}</p>`),
  ]);
  return plainPage({
    title,
    content: [`<h1>${title}</h1>`, ...blocks].join('\n'),
    links: `<a href="${ERROR_PAGES}">All error codes</a>`,
  });
}

/** Backticks mark code. */
function inlineHtml(text: string): string {
  return inHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}
