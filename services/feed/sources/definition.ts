import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import {
  BROKER_MODES,
  BROKER_UNITS,
  USUAL_ASSUMPTIONS,
  type BrokerMode,
  type BrokerUnit,
} from '#shared/data-format/broker-layout.ts';
import { SOURCE_NAME, SOURCE_NAME_WORDS } from '#shared/data-format/source-name.ts';
import { ConfigError } from '#platform/configuration/config.ts';
import { fieldErrors, newAjv } from '#platform/wire/field-errors.ts';
import type { FieldError } from '#foundation/errors/service-error.ts';
import { checkedMapping, mistake, object, type Mapping } from '../formats/mapping.ts';
import { mistakeInPlace } from '../origins/dated-place.ts';
import type { HeaderValue } from '../origins/header-values.ts';
import { FORMATS, GENERATOR, type FormatName } from '../formats/formats.ts';

/** Where a source gets its files: exactly one of these. */
type Place = { url: string; headers: Record<string, HeaderValue> } | { file: string } | { folder: string };

/** A source as an operator declares it, with its defaults. */
export interface SourceDefinition {
  name: string;
  format: FormatName;
  from: Place;
  /** `HH:MM` in Jakarta: when the day of a trading day should be there. */
  due_at: string;
  requests_per_day: number;
  timeout_seconds: number;
  max_bytes: number;
  /** How many of the newest served days are asked for again once a day, to see corrections, and may be restated. */
  recheck_days: number;
  broker_unit: BrokerUnit;
  broker_mode: BrokerMode;
  /** For the format `mapping` alone. */
  mapping?: Mapping;
}

/** A source as it is declared: `mapping` is the path of a file, or its content. */
interface DeclaredSource extends Omit<SourceDefinition, 'from' | 'mapping'> {
  from: { url?: string; headers?: Record<string, HeaderValue>; file?: string; folder?: string };
  mapping?: string | object;
}

const MEBIBYTE = 1024 ** 2;
const PATH = { type: 'string', minLength: 1 };
const HEADER_NAME = /^[a-z0-9!#$%&'*+.^_`|~-]+$/i;

const SOURCE = object(
  {
    name: {
      type: 'string',
      pattern: SOURCE_NAME,
      $comment: SOURCE_NAME_WORDS,
    },
    format: { enum: FORMATS },
    from: object({
      url: PATH,
      headers: {
        type: 'object',
        additionalProperties: {
          type: ['string', 'object'],
          properties: { file: PATH, env: PATH },
          additionalProperties: false,
          minProperties: 1,
          maxProperties: 1,
          $comment: 'text, {"file": "/path/of/a/secret"} or {"env": "NAME_OF_A_VARIABLE"}',
        },
      },
      file: PATH,
      folder: PATH,
    }),
    due_at: {
      type: 'string',
      pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
      $comment: 'a time of day in Jakarta as HH:MM',
      default: '18:35',
    },
    requests_per_day: { type: 'integer', minimum: 1, maximum: 100_000, default: 100 },
    timeout_seconds: { type: 'integer', minimum: 1, maximum: 300, default: 30 },
    max_bytes: { type: 'integer', minimum: 1024, maximum: 1024 * MEBIBYTE, default: 64 * MEBIBYTE },
    recheck_days: { type: 'integer', minimum: 0, maximum: 20, default: 5 },
    broker_unit: { enum: BROKER_UNITS, default: USUAL_ASSUMPTIONS.unit },
    broker_mode: { enum: BROKER_MODES, default: USUAL_ASSUMPTIONS.mode },
    mapping: {
      type: ['string', 'object'],
      minLength: 1,
      $comment: 'the path of a mapping file, or its content',
    },
  },
  ['name', 'format', 'from'],
);

export const DEFINITION_FIELDS = Object.keys(SOURCE.properties);

const FILE = object({ sources: { type: 'array', items: SOURCE } }, ['sources']);

/** It compiles a schema once, when there is something to check. */
const ajv = newAjv();

/**
 * Reads the file that FEED_SOURCES names, and the mapping files that it names. Their paths, and those of files and folders, are
 * relative to it.
 * @throws ConfigError naming every field that is wrong and what is allowed, but no value, because values can be secrets
 */
export async function readDefinitions(path: string): Promise<SourceDefinition[]> {
  const filled = structuredClone(await parsedFile(path));
  const isFile = ajv.compile(FILE);
  if (!isFile(filled)) throw wrong(path, fieldErrors(isFile.errors ?? [], []));
  const { sources } = filled as unknown as { sources: DeclaredSource[] };
  const folder = dirname(resolve(path));
  const checked = await Promise.all(sources.map((source, i) => completed(source, folder, ['sources', i])));
  const repeated = sources.flatMap(({ name }, i) =>
    sources.findIndex((other) => other.name === name) < i
      ? [mistake(['sources', i, 'name'], 'must differ from the names of all other sources')]
      : [],
  );
  const mistakes = [...checked.flatMap((one) => ('mistakes' in one ? one.mistakes : [])), ...repeated];
  if (mistakes.length > 0) throw wrong(path, mistakes);
  return checked.flatMap((one) => ('definition' in one ? [one.definition] : []));
}

/**
 * Checks one source that is not in a file. Its paths are relative to `folder`.
 * @returns the source with its defaults, or everything that is wrong with it
 */
export async function checkedDefinition(declared: unknown, folder: string): Promise<Checked> {
  const filled = structuredClone(declared);
  const isSource = ajv.compile(SOURCE);
  if (!isSource(filled)) return { mistakes: fieldErrors(isSource.errors ?? [], []) };
  return completed(filled as unknown as DeclaredSource, folder, []);
}

type Checked = { definition: SourceDefinition } | { mistakes: FieldError[] };

/** @param loc where the source stands in what was declared */
async function completed(source: DeclaredSource, folder: string, loc: FieldError['loc']): Promise<Checked> {
  const { from, mapping: declared, ...rest } = source;
  const at = ({ loc: within, msg, type }: FieldError): FieldError => ({
    loc: [...loc, ...within],
    msg,
    type,
  });
  const mapping = declared === undefined ? undefined : await checkedMappingOf(declared, folder);
  const mistakes = [...mistakesIn(source), ...(mapping && 'mistakes' in mapping ? mapping.mistakes : [])];
  if (mistakes.length > 0) return { mistakes: mistakes.map(at) };
  const definition = { ...rest, from: placeOf(from, folder) };
  return {
    definition: mapping && 'mapping' in mapping ? { ...definition, mapping: mapping.mapping } : definition,
  };
}

/** The mapping, or what is wrong with it, in the words of the field `mapping`. */
async function checkedMappingOf(declared: string | object, folder: string) {
  try {
    const checked = checkedMapping(
      typeof declared === 'string' ? await parsedFile(resolve(folder, declared)) : declared,
    );
    if ('mapping' in checked) return checked;
    return { mistakes: checked.mistakes.map(({ loc, msg }) => mistake(['mapping', ...loc], msg)) };
  } catch (error) {
    if (error instanceof ConfigError)
      return { mistakes: [mistake(['mapping'], `must be a mapping: ${error.message}`)] };
    throw error;
  }
}

function placeOf({ url, headers = {}, file, folder }: DeclaredSource['from'], base: string): Place {
  if (url !== undefined)
    return {
      url,
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, absolute(value, base)]),
      ),
    };
  return file !== undefined ? { file: resolve(base, file) } : { folder: resolve(base, folder!) };
}

function absolute(value: HeaderValue, base: string): HeaderValue {
  return typeof value === 'object' && 'file' in value ? { file: resolve(base, value.file) } : value;
}

async function parsedFile(path: string): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    throw new ConfigError(`${path} cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    // The message quotes the text, which can be a secret.
    const where = /\(line \d+ column \d+\)/.exec((error as Error).message)?.[0] ?? 'at its end';
    throw new ConfigError(`${path} is not JSON ${where}`);
  }
}

function mistakesIn({ name, format, mapping, from }: DeclaredSource): FieldError[] {
  const found: FieldError[] = [];
  const add = (path: FieldError['loc'], msg: string) => found.push(mistake(path, msg));
  if (name === GENERATOR)
    add(['name'], `must not be '${GENERATOR}', which is the market that Saring makes up`);
  if (format === 'mapping' && mapping === undefined)
    add(['mapping'], 'is required: the path of a mapping file, or its content');
  if (format !== 'mapping' && mapping !== undefined) add(['mapping'], 'is for the format mapping only');
  addMistakesInPlace(from, add);
  return found;
}

function addMistakesInPlace(
  { url, headers, file, folder }: DeclaredSource['from'],
  add: (path: FieldError['loc'], msg: string) => void,
): void {
  if ([url, file, folder].filter((place) => place !== undefined).length !== 1)
    add(['from'], 'must have exactly one of url, file and folder');
  if (headers !== undefined && url === undefined) add(['from', 'headers'], 'is for a url only');
  for (const name of Object.keys(headers ?? {}))
    if (!HEADER_NAME.test(name)) add(['from', 'headers', name], 'is no name of a header');
  const inUrl = url === undefined ? undefined : (mistakeInUrl(url) ?? mistakeInPlace(url));
  if (inUrl !== undefined) add(['from', 'url'], inUrl);
  const inFile = file === undefined ? undefined : mistakeInPlace(file);
  if (inFile !== undefined) add(['from', 'file'], inFile);
}

function mistakeInUrl(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol)) return 'must be an http:// or https:// URL';
  if (url.username !== '' || url.password !== '')
    return 'must not contain a login: send it in headers, from a file or env';
  return undefined;
}

function wrong(path: string, mistakes: FieldError[]): ConfigError {
  const lines = mistakes.map(({ loc, msg }) => `  ${loc.join('.') || 'the whole'}: ${msg}`);
  return new ConfigError(
    `${path} has ${mistakes.length === 1 ? 'a mistake' : `${mistakes.length} mistakes`}:\n${lines.join('\n')}`,
  );
}
