import { InvalidArgumentError } from 'commander';
import type { ApiKey } from '#proto/saring/keys/v1/keys.ts';
import { SCOPES } from '#shared/scopes.ts';
import { ServiceError } from '#shared/service-error.ts';

export type Labels = Record<string, string>;

export const SCOPES_HELP = `comma-separated, of ${Object.keys(SCOPES).join(', ')}`;

export function commaSeparated(text: string): string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

/** One of several `--label name=value`, added to those before. The first `=` ends the name. */
export function labelOf(text: string, before: Labels = {}): Labels {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new InvalidArgumentError('must be name=value.');
  return { ...before, [name]: value };
}

/** The key of an answer, which always has one. */
export function given(key: ApiKey | undefined): ApiKey {
  if (key) return key;
  throw new ServiceError('internal_error', 'the keys service did not say which key it meant');
}
