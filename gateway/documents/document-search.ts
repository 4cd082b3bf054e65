import MiniSearch from 'minisearch';
import type { Document } from './read-document.ts';

/** One section of a document that fits a search. */
export interface Hit {
  title: string;
  /** Equal to the title at the beginning of a document. */
  heading: string;
  /** Address of the section as HTML. */
  url: string;
  markdown_url: string;
  /** A piece of its text, around what was found. */
  excerpt: string;
}

/** Below this length a beginning fits too many words. */
const MIN_PREFIX_LENGTH = 3;
/** Shorter words with one wrong letter are other words. */
const MIN_FUZZY_LENGTH = 5;
const WRONG_LETTERS_SHARE = 0.2;
/** Further words are left out, so that no search keeps the process from other work for long. */
const MAX_WORDS = 12;
const MAX_HITS = 20;
const EXCERPT_LENGTH = 240;
/** Characters of an excerpt before the found word. */
const LEAD_LENGTH = 80;

interface Indexed {
  id: number;
  hit: Omit<Hit, 'excerpt'>;
  title: string;
  heading: string;
  text: string;
  /** Heading and text in lower case. */
  lowered: string;
}

/** Finds sections of documents by words. It holds everything in memory, and needs no other server. */
export class DocumentSearch {
  readonly #index = new MiniSearch<Indexed>({
    fields: ['title', 'heading', 'text'],
    searchOptions: { boost: { heading: 4, title: 2 }, prefix: (term) => term.length >= MIN_PREFIX_LENGTH },
  });
  readonly #sections: Indexed[] = [];

  /** @param path under which the document is served */
  add(path: string, { title, sections }: Document): void {
    for (const { heading, id: fragment, text } of sections) {
      const hit = { title, heading, url: `${path}#${fragment}`, markdown_url: `${path}.md` };
      const lowered = `${heading} ${text}`.toLowerCase();
      const section = { id: this.#sections.length, hit, title, heading, text, lowered };
      this.#sections.push(section);
      this.#index.add(section);
    }
  }

  /**
   * The best sections first: those with the whole phrase, then those with all its words, and if there are none, those with some of
   * them or with similar ones.
   */
  find(query: string): Hit[] {
    const phrase = query.toLowerCase();
    const tokenize = MiniSearch.getDefault('tokenize') as (text: string) => string[];
    const words = [...new Set(tokenize(phrase))].slice(0, MAX_WORDS).join(' ');
    const withAll = this.#index.search(words, { combineWith: 'AND' });
    const found = withAll.length > 0 ? withAll : this.#index.search(words, { fuzzy });
    const sections = found.map(({ id, terms }) => ({ ...this.#sections[id as number]!, terms }));
    const [inOrder = [], others = []] = [true, false].map((isPhrase) =>
      sections.filter(({ lowered }) => lowered.includes(phrase) === isPhrase),
    );
    return [...inOrder, ...others]
      .slice(0, MAX_HITS)
      .map(({ hit, text, terms }) => ({ ...hit, excerpt: excerptOf(text, [phrase, ...terms]) }));
  }
}

const fuzzy = (term: string) => term.length >= MIN_FUZZY_LENGTH && WRONG_LETTERS_SHARE;

/** @param wanted what the excerpt should show; the first that the text has decides */
function excerptOf(text: string, wanted: string[]): string {
  const lowered = text.toLowerCase();
  const place = wanted.map((words) => lowered.indexOf(words)).find((at) => at >= 0) ?? 0;
  const from = place <= LEAD_LENGTH ? 0 : text.indexOf(' ', place - LEAD_LENGTH) + 1;
  const cut = text.slice(from, from + EXCERPT_LENGTH);
  const isWhole = from + EXCERPT_LENGTH >= text.length;
  return `${from > 0 ? '… ' : ''}${isWhole ? cut : `${cut.replace(/ \S*$/, '')} …`}`;
}
