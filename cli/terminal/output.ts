import { terminalJson, terminalText } from '#foundation/text/terminal-text.ts';
import { textTable, type Cell } from '#foundation/text/text-table.ts';

export interface OutputOptions {
  /** Print one JSON document on standard output instead of text for people. */
  json?: boolean;
}

/** Prints the response of a command. Characters that would act on a terminal are escaped. */
export function answer(options: OutputOptions, document: unknown, text: () => string): void {
  const shown = options.json ? terminalJson(document) : terminalText(text(), { keepsLines: true });
  process.stdout.write(`${shown}\n`);
}

/** Prints lines on standard error while a command works, escaped in the same way. */
export function note(text: string): void {
  process.stderr.write(`${terminalText(text, { keepsLines: true })}\n`);
}

type OrNull<Value> = undefined extends Value ? Exclude<Value, undefined> | null : Value;

/** A message as JSON for scripts: absent fields are null. */
export function orNull<Message extends object>(message: Message) {
  const fields = Object.entries(message).map(
    ([name, value]: [string, unknown]) => [name, value ?? null] as const,
  );
  return Object.fromEntries(fields) as { [Name in keyof Message]-?: OrNull<Message[Name]> };
}

/**
 * A table for people.
 * @param columns by title, what a cell shows of its row; an absent value is an empty cell
 * @param none instead of a table without rows
 */
export function table<Row>(
  rows: readonly Row[],
  columns: Record<string, (row: Row) => Cell | null | undefined>,
  none?: string,
): string {
  if (rows.length === 0 && none !== undefined) return none;
  const cells = rows.map((row) => Object.values(columns).map((shown) => shown(row) ?? ''));
  return textTable(Object.keys(columns), cells).join('\n');
}

/** Lines of a name and a value each. */
export function facts(pairs: [name: string, value: string | number][]): string {
  return pairs.map(([name, value]) => `  ${name.padEnd(12)}${terminalText(String(value))}`).join('\n');
}

/** Arguments of `addHelpText` with one or several command lines, each without its `saring`. */
export function examples(...lines: string[]): ['after', string] {
  const heading = lines.length === 1 ? 'Example' : 'Examples';
  return ['after', `\n${heading}:\n${lines.map((line) => `  saring ${line}`).join('\n')}`];
}
