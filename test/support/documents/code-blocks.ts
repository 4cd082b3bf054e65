import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { REPOSITORY } from '../repository.ts';

/** A block of shell commands in a document. */
export interface CodeBlock {
  document: string;
  /** Its first line that is no comment. Names the block in tests. */
  title: string;
  commands: string;
  /** What the document says they print: the block right after it, if that is data. */
  result?: string | undefined;
}

const SHELL_BLOCK = /^```sh\n([^]*?)^```$(?:\n\n```(?:csv|json|text)\n([^]*?)^```$)?/gm;

/** The shell blocks of the README and of docs/, in the order of reading. */
export async function codeBlocks(): Promise<CodeBlock[]> {
  const names = (await readdir(path.join(REPOSITORY, 'docs'))).filter((name) => name.endsWith('.md'));
  const documents = ['README.md', ...names.toSorted().map((name) => `docs/${name}`)];
  const blocks = await Promise.all(documents.map(blocksOf));
  return blocks.flat();
}

async function blocksOf(document: string): Promise<CodeBlock[]> {
  const text = await readFile(path.join(REPOSITORY, document), 'utf8');
  return [...text.matchAll(SHELL_BLOCK)].map(([, commands, result]) => {
    const title = commands!.split('\n').find((line) => line !== '' && !line.startsWith('#'))!;
    return { document, title, commands: commands!, result };
  });
}

/** The blocks of a document that are in a language, of one chapter. */
export async function blocksOfChapter(
  document: string,
  chapter: string,
  language: string,
): Promise<string[]> {
  const text = await readFile(path.join(REPOSITORY, document), 'utf8');
  const content = text.split(/^## /m).find((part) => part.startsWith(`${chapter}\n`)) ?? '';
  const pattern = new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm');
  return [...content.matchAll(pattern)].map(([, block]) => block!);
}
