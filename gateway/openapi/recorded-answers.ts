import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Written by `make examples`, from a fleet with a generated market. */
export const RECORDED_ANSWERS = path.join(import.meta.dirname, 'recorded-answers.json');

/** The answer to a code sample, with few items of each list. */
export interface RecordedAnswer {
  status: number;
  body: unknown;
}

/** By operation. */
export function recordedAnswers(): Partial<Record<string, RecordedAnswer>> {
  return JSON.parse(readFileSync(RECORDED_ANSWERS, 'utf8')) as Record<string, RecordedAnswer>;
}
