import type { DescMessage } from '@bufbuild/protobuf';
import type { Language } from '#foundation/text/languages.ts';

/**
 * Why something failed. `error_message` is in Bahasa Indonesia. `error_english` is absent if the failure was recorded
 * before English messages were.
 */
interface Failed {
  error_message?: string | undefined;
  error_english?: string | undefined;
}

export function errorIn(language: Language, { error_message, error_english }: Failed): string | undefined {
  return language === 'en' ? (error_english ?? error_message) : error_message;
}

/** Whether a field of this message is a message that says why it failed. */
export function saysErrors({ fields }: DescMessage): boolean {
  return fields.some(({ message }) => message?.fields.some(({ name }) => name === 'error_english'));
}

/** Returns the response with the reasons for failures in this language. */
export function withErrorsIn<T extends object>(language: Language, response: T): T {
  const worded = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(worded);
    if (typeof part !== 'object' || part === null || !('error_english' in part)) return part;
    return { ...part, error_message: errorIn(language, part as Failed) };
  };
  return Object.fromEntries(Object.entries(response).map(([name, part]) => [name, worded(part)])) as T;
}
