import { terminalJson, terminalText } from '#shared/text/terminal-text.ts';

export interface OutputOptions {
  /** One JSON document on standard output instead of text for people. */
  json?: boolean;
}

/** Prints the answer of a command, once. What is in it that would act on a terminal is shown escaped. */
export function answer(options: OutputOptions, document: unknown, text: () => string): void {
  const shown = options.json ? terminalJson(document) : terminalText(text(), { keepsLines: true });
  process.stdout.write(`${shown}\n`);
}

/** Prints lines on standard error, where people look while a command works, escaped in the same way. */
export function note(text: string): void {
  process.stderr.write(`${terminalText(text, { keepsLines: true })}\n`);
}
