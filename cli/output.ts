import { terminalJson, terminalText } from '#shared/text/terminal-text.ts';

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
