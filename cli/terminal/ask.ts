import { createInterface } from 'node:readline/promises';
import { EXIT } from '#platform/process/exit-codes.ts';
import { CommandFailure } from './command-failure.ts';

/** Prompts are shown on standard error and answered on standard input. */
export function isAtTerminal(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/** Everything except a yes counts as a no, including the end of the input and Ctrl-C. */
export async function agrees(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const closed = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
  const response = await Promise.race([terminal.question(`${question} [y/N] `), closed]);
  terminal.close();
  return /^y(es)?$/i.test(response.trim());
}

interface Irreversible {
  question: string;
  /** Says that `--yes` is needed where nobody can be asked. */
  refusal: string;
  /** Says that nothing was done. */
  declined: string;
}

/** @throws CommandFailure unless the operator agrees at the terminal */
export async function requireConsent({ question, refusal, declined }: Irreversible): Promise<void> {
  if (!isAtTerminal()) throw new CommandFailure(EXIT.refused, refusal);
  if (!(await agrees(question))) throw new CommandFailure(EXIT.refused, declined);
}
