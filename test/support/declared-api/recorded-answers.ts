import { writeFileSync } from 'node:fs';
import { RECORDED_ANSWERS, type RecordedAnswer } from '#gateway/openapi/recorded-answers.ts';

/** Two items show that there are several. */
const ITEMS_OF_A_LIST = 2;
const ID = /\b([a-z]{2,4})_[0-9a-f]{24,32}\b/g;
/** That of the examples in the API's schemas. */
const EXAMPLE_ID = '5f0c6f1e9a3b4d2c8e7f6a5b';
/** What nobody may take for a secret that is in use. */
const SECRETS = [
  [/\bwhsec_[\w+/=-]+/g, 'whsec_dGhlIHNlY3JldCBvZiBhbiBleGFtcGxlIGluIHRoZSBkb2N1bWVudA=='],
  [/\bsar_\w+/g, 'sar_5f0c'],
  [/(?<="csrf_token":")[^"]+/g, 'dG9rZW4gb2YgYW4gZXhhbXBsZQ'],
] as const;

/** Answers of a fleet as the OpenAPI document shows them: with few items of each list, and ids that say nothing of that fleet. */
export class AnswerRecorder {
  readonly #answers: Record<string, RecordedAnswer> = {};

  /** @param text of a JSON body */
  record(operationId: string, status: number, text: string): void {
    this.#answers[operationId] = { status, body: shortened(JSON.parse(withExampleIds(text))) };
  }

  /** Replaces what was recorded before. */
  save(): void {
    const sorted = Object.entries(this.#answers).toSorted(([a], [b]) => (a < b ? -1 : 1));
    writeFileSync(RECORDED_ANSWERS, `${JSON.stringify(Object.fromEntries(sorted), null, 1)}\n`);
  }
}

/** Different ids stay different, and each is the same wherever it occurs in an answer. */
function withExampleIds(text: string): string {
  const shown = new Map<string, string>();
  const counts = new Map<string, number>();
  const withoutSecrets = SECRETS.reduce((left, [secret, instead]) => left.replaceAll(secret, instead), text);
  return withoutSecrets.replaceAll(ID, (id, kind: string) => {
    const known = shown.get(id);
    if (known !== undefined) return known;
    const count = counts.get(kind) ?? 0;
    counts.set(kind, count + 1);
    const example = `${kind}_${EXAMPLE_ID.slice(0, -2)}${(0x5b + count).toString(16).padStart(2, '0').slice(-2)}`;
    shown.set(id, example);
    return example;
  });
}

function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, ITEMS_OF_A_LIST).map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shortened(member)]));
}
