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
