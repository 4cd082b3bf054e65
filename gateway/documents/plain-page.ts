import type { Request } from 'express';

export const MARKDOWN = 'text/markdown';
/** The first is for those who accept any. */
const MEDIA_TYPES = ['text/html', MARKDOWN];

export const STYLE_SHEET = '/api/docs/pages.css';

/** The browser's own colour of links is too dark for its dark theme. */
export const STYLE = `:root { color-scheme: light dark; background: light-dark(#fff, #16181b); color: light-dark(#1b1d20, #e6e8ea); }
a { color: light-dark(#0b4fb3, #9dbdff); }
body { max-width: 42rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.6 system-ui, sans-serif; }
body:has(article) { max-width: 56rem; }
h1, code { font-family: ui-monospace, monospace; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; }
h2 { font-size: 1.1rem; margin: 1.5rem 0 0; }
h2 + p { margin-top: 0.2rem; }
article h1 { font-family: inherit; font-size: 1.9rem; line-height: 1.2; }
article h2 { font-size: 1.4rem; margin-top: 2.5rem; }
article h3, article h4 { font-size: 1.1rem; margin: 1.8rem 0 0; }
article .table, article pre { overflow-x: auto; }
article pre { padding: 0.6rem 0.8rem; border: 1px solid; border-radius: 0.3rem; line-height: 1.45; }
article pre code { overflow-wrap: normal; }
article table { border-collapse: collapse; }
article :is(th, td) { padding: 0.3rem 0.6rem; border: 1px solid; text-align: start; vertical-align: top; }
article img { max-width: 100%; height: auto; }
header { display: flex; flex-wrap: wrap; gap: 0.5rem 1.5rem; justify-content: space-between; }
input, button { font: inherit; }
`;

interface PlainPage {
  title: string;
  /** HTML before the content: what all pages of a kind have. */
  header?: string;
  /** HTML with the heading of level 1. */
  content: string;
  /** HTML of the links after the content. */
  links: string;
}

/** A page that needs no script. */
export function plainPage({ title, header, content, links }: PlainPage): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${inHtml(title)} · Saring API</title>
    <link rel="stylesheet" href="${STYLE_SHEET}">
  </head>
  <body>
${header === undefined ? '' : `<header>${header}</header>\n`}<main>
${content}
</main>
<nav aria-label="Further pages"><p>${links}</p></nav>
  </body>
</html>
`;
}

/** Whether a reader asks for Markdown instead of HTML: by the suffix `.md`, or by Accept. */
export function wantsMarkdown(req: Request): boolean {
  return req.path.endsWith('.md') || req.accepts(MEDIA_TYPES) === MARKDOWN;
}

export function inHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
