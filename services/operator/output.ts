export interface OutputOptions {
  /** One JSON document on standard output instead of text for people. */
  json?: boolean;
}

/** Prints the answer of a command, once. */
export function answer(options: OutputOptions, document: unknown, text: () => string): void {
  process.stdout.write(`${options.json ? JSON.stringify(document, null, 2) : text()}\n`);
}
