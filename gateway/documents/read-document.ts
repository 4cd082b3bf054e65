import { readFileSync } from 'node:fs';
import path from 'node:path';
import GithubSlugger from 'github-slugger';
import { Lexer, Parser, Renderer, type Token, type Tokens } from 'marked';
import { DOCUMENTS_ROOT, IMAGES_FOLDER, IMAGES_ROOT, pathOf, PROJECT, type Listed } from './documents.ts';
import { inHtml } from './plain-page.ts';

/** A heading with the text up to the next heading. */
interface Section {
  heading: string;
  /** Fragment of its address. */
  id: string;
  /** Without markup. */
  text: string;
}

interface Part extends Section {
  source: Tokens.Heading;
  following: Token[];
}

/** A document in Markdown that begins with a heading of level 1. */
export class Document {
  /** Its links lead to what is served, and links to anything else are text. */
  readonly markdown: string;
  #parts: Part[] | undefined;

  constructor(markdown: string) {
    this.markdown = markdown;
  }

  /** Reads a document of the project. */
  static read(file: string): Document {
    return new Document(servedLinks(readFileSync(path.join(PROJECT, file), 'utf8'), file));
  }

  get title(): string {
    return plainText(/^# (.+)$/m.exec(this.markdown)![1]!);
  }

  get sections(): readonly Section[] {
    return this.#parsed;
  }

  /** Without the frame of the page. */
  toHtml(): string {
    const options = { renderer: new PageRenderer() };
    const html = this.#parsed.map(({ source: { depth, tokens }, id, following }) => {
      const heading = Parser.parseInline(tokens, options);
      return `<h${depth} id="${id}">${heading}</h${depth}>\n${Parser.parse(following, options)}`;
    });
    return html.join('');
  }

  /** Parsed when needed: a list of documents needs their titles alone. */
  get #parsed(): Part[] {
    return (this.#parts ??= partsOf(this.markdown));
  }
}

/** A list of links in Markdown, with what each document is about. */
export function linksTo(documents: Listed[]): string {
  const links = documents.map(({ file, about }) => {
    const { title } = Document.read(file);
    return `- [${title}](${pathOf(file)}.md): ${about}`;
  });
  return links.join('\n');
}

function partsOf(markdown: string): Part[] {
  const slugger = new GithubSlugger();
  const parts: Omit<Part, 'text'>[] = [];
  for (const token of Lexer.lex(markdown)) {
    if (token.type !== 'heading') {
      parts.at(-1)!.following.push(token);
      continue;
    }
    const source = token as Tokens.Heading;
    const heading = plainText(source.text);
    parts.push({ source, heading, id: slugger.slug(heading), following: [] });
  }
  return parts.map((part) => ({ ...part, text: plainText(part.following.map(({ raw }) => raw).join('')) }));
}

class PageRenderer extends Renderer {
  /** Who reads HTML goes on reading it. */
  override link(link: Tokens.Link): string {
    const href = link.href.startsWith(`${DOCUMENTS_ROOT}/`)
      ? link.href.replace(/\.md(?=#|$)/, '')
      : link.href;
    return super.link({ ...link, href });
  }

  /** What is wider than the page scrolls, also by the keyboard. */
  override table(table: Tokens.Table): string {
    return `<div class="table" role="group" aria-label="Table" tabindex="0">${super.table(table)}</div>\n`;
  }

  override code(code: Tokens.Code): string {
    return super.code(code).replace('<pre>', '<pre tabindex="0">');
  }

  /** Documents have no HTML: what looks like it is text. */
  override html({ text }: Tokens.HTML | Tokens.Tag): string {
    return inHtml(text);
  }
}

const FENCED = /(^```[^]*?^```$)/gm;
const LINK = /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)/g;

function servedLinks(markdown: string, file: string): string {
  const outsideCode = (text: string) =>
    text.replaceAll(LINK, (link, mark: string, text: string, target: string) => {
      if (/^(https?:|#)/.test(target)) return link;
      const served = servedTarget(target, file);
      return served === undefined ? text : `${mark}[${text}](${served})`;
    });
  return markdown
    .split(FENCED)
    .map((text, i) => (i % 2 === 0 ? outsideCode(text) : text))
    .join('');
}

/** The address of what a document links to, or undefined if that is not served. */
function servedTarget(target: string, file: string): string | undefined {
  const [linked = '', fragment] = target.split('#');
  const inProject = path.posix.join(path.posix.dirname(file), linked);
  if (path.posix.dirname(inProject) === IMAGES_FOLDER)
    return `${IMAGES_ROOT}/${path.posix.basename(inProject)}`;
  const served = pathOf(inProject);
  return served && `${served}.md${fragment === undefined ? '' : `#${fragment}`}`;
}

/** Without the marks of Markdown, on one line. */
function plainText(markdown: string): string {
  const unlinked = markdown.replaceAll(LINK, '$2');
  return unlinked
    .replaceAll(/^```\w*$|^\|[-| :]+\|$|^\s*- /gm, ' ')
    .replaceAll(/\*\*|`/g, '')
    .replaceAll('|', ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
