import { readFile } from 'node:fs/promises';
import { SourceFailure } from '../deliveries/source-failure.ts';

/** The value of a request header: as it is, or a secret from a file or from the environment. */
export type HeaderValue = string | { file: string } | { env: string };

/**
 * Reads the values of headers. Secrets are read at each request, so that a rotated one applies at once, and no message contains
 * one.
 * @throws SourceFailure forbidden if a secret is missing or cannot be sent
 */
export async function headerValues(
  declared: Readonly<Record<string, HeaderValue>>,
  env: NodeJS.ProcessEnv,
): Promise<Headers> {
  const headers = new Headers();
  for (const [name, value] of Object.entries(declared)) {
    const text = await textOf(name, value, env);
    try {
      headers.set(name, text);
    } catch {
      throw unusable(name, value, 'contains characters that no header may have');
    }
  }
  return headers;
}

async function textOf(name: string, value: HeaderValue, env: NodeJS.ProcessEnv): Promise<string> {
  if (typeof value === 'string') return value;
  const text = 'env' in value ? env[value.env] : await contentOf(name, value);
  if (text === undefined) throw unusable(name, value, 'is not set');
  if (text.trim() === '') throw unusable(name, value, 'is empty');
  return text.trim();
}

async function contentOf(name: string, value: { file: string }): Promise<string> {
  try {
    return await readFile(value.file, 'utf8');
  } catch (error) {
    throw unusable(name, value, `cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
}

function unusable(name: string, value: HeaderValue, why: string): SourceFailure {
  const place =
    typeof value === 'string'
      ? 'its value'
      : 'env' in value
        ? `the variable ${value.env}`
        : `the file ${value.file}`;
  return new SourceFailure('forbidden', `The header ${name} cannot be sent: ${place} ${why}.`);
}
