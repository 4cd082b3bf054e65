import { randomBytes } from 'node:crypto';
import type { DeclaredFact } from '#fields/catalogue/facts.ts';
import type {
  FactsHeader,
  FactsOutcome,
  Fact,
  ImportFactsRequest,
} from '#proto/saring/market_data/v1/facts.ts';
import type { ClickHouseClient } from '#platform/clickhouse/clickhouse.ts';
import type { Clock } from '#foundation/clock.ts';
import { refuse } from '#foundation/errors/invalid-request.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { notPlain } from '#platform/wire/plain-text.ts';
import type { ImportWork } from '../import/dataset-imports.ts';
import { ReceivedBytes } from '../import/request/received-bytes.ts';
import type { Importer } from '../import/importer.ts';
import { Progress } from '../import/request/progress.ts';
import { declaredFacts, MAX_FACTS } from './declared-facts.ts';
import type { FieldCatalogue } from '../screening/field-catalogue.ts';
import { FactRows, type FactRow } from './fact-rows.ts';
import {
  editionOf,
  type FactSize,
  type FactStore,
  type FactVersion,
  type StoredFact,
} from '../store/fact-store.ts';
import { StagedFacts } from './staged-facts.ts';

const MAX_SOURCE_LENGTH = 200;
const MAX_FILE_BYTES = 256 * 1024 * 1024;
const MAX_ROWS = 10_000_000;
/** A column is read at once, which takes some 100 bytes a row for a moment. */
const MAX_ROWS_OF_FACT = 500_000;
/** A text takes a number of 16 bits in columns. */
const MAX_TEXTS_OF_FACT = 10_000;

interface FactImportsDependencies {
  client: ClickHouseClient;
  store: FactStore;
  catalogue: Pick<FieldCatalogue, 'refresh'>;
  /** Changes to the store run one at a time. */
  importer: Pick<Importer, 'alone'>;
  /** Tickers of the served market; none if no market is loaded. */
  tickers: () => Promise<readonly string[]>;
  clock: Clock;
}

export class FactImports {
  readonly #deps: FactImportsDependencies;

  constructor(deps: FactImportsDependencies) {
    this.#deps = deps;
  }

  async list(): Promise<Fact[]> {
    return (await this.#deps.store.newest()).facts.map(toFact);
  }

  /** @throws ServiceError not_found */
  async remove(name: string): Promise<Fact> {
    const { importer, store, catalogue, clock } = this.#deps;
    return importer.alone(`a removal of the fact ${name}`, new Progress(), async () => {
      const before = await store.newest();
      const removed = before.facts.find((fact) => fact.name === name);
      if (!removed)
        throw new ServiceError(
          'not_found',
          `There is no fact ${name}. 'saring facts list' shows which there are.`,
        );
      const facts = before.facts.filter((fact) => fact !== removed);
      await store.publish({ version: before.version + 1, facts }, clock());
      await catalogue.refresh();
      return toFact(removed);
    });
  }

  /** Imports everything in the file, or nothing if it fails or the signal aborts. */
  async upload(messages: AsyncIterable<ImportFactsRequest>, work: ImportWork): Promise<FactsOutcome> {
    const received = await ReceivedBytes.begin(messages);
    const { source } = received.header;
    refuseSource(source);
    const { importer, client, store } = this.#deps;
    return importer.alone(`an import of facts from ${source}`, work.progress, async (lost) => {
      const signal = AbortSignal.any([work.signal, lost]);
      const before = await store.newest();
      await store.dropUnused(before);
      const staged = new StagedFacts(client, randomBytes(8).toString('hex'), source);
      try {
        await staged.create();
        return await this.#import(received, staged, before, { ...work, signal });
      } finally {
        // What remains is removed when the next import or copy of the service starts.
        await staged.drop().catch(() => {});
      }
    });
  }

  async #import(
    received: ReceivedBytes<FactsHeader>,
    staged: StagedFacts,
    before: FactVersion,
    { progress, signal, actor }: ImportWork,
  ): Promise<FactsOutcome> {
    const { replaces, source, declarations } = received.header;
    const declared = declaredFacts(declarations);
    const facts = new Map<string, DeclaredFact>(
      [...before.facts, ...declared].map((fact) => [fact.name, fact]),
    );
    if (facts.size > MAX_FACTS)
      throw rejected(`there may be at most ${MAX_FACTS} facts, and these would make ${facts.size}`);
    progress.step = 'reading the file';
    await staged.insert(rowsIn(received.bytes(), new FactRows(source, facts), progress, signal));
    progress.step = 'comparing the rows';
    await staged.refuseContradictions();
    const added = await addedTo(replaces ? [] : before.facts, staged);
    refuseEmptyAndRetyped(declared, before, { added, replaces });
    progress.step = 'storing the rows';
    const after = await this.#stored([...facts.values()], before, { staged, added, replaces, actor });
    signal.throwIfAborted();
    const changed = after.facts.filter((fact) => !before.facts.includes(fact));
    if (changed.length > 0) await this.#deps.store.publish(after, this.#deps.clock());
    await this.#deps.catalogue.refresh();
    const unknown = await staged.unknownTickers(await this.#deps.tickers());
    return {
      changed: changed.map(toFact),
      rows_read: progress.rowsRead,
      rows_added: [...added.values()].reduce((sum, rows) => sum + rows, 0),
      unknown_tickers: unknown.tickers,
      unknown_ticker_count: unknown.count,
      elapsed_ms: Math.round(progress.elapsedMs),
    };
  }

  /** Stores the next editions. The facts that did not change are those of the version before. */
  async #stored(
    declared: readonly DeclaredFact[],
    before: FactVersion,
    change: { staged: StagedFacts; added: ReadonlyMap<string, number>; replaces: boolean; actor: string },
  ): Promise<FactVersion> {
    const { staged, added, replaces, actor } = change;
    const version = before.version + 1;
    const storedBefore = new Map(before.facts.map((fact) => [fact.name, fact]));
    const fields = [...added.keys()];
    const kept = replaces ? [] : fields.flatMap((name) => storedBefore.get(name)?.edition ?? []);
    if (fields.length > 0) await staged.store(fields, version, kept);
    const sizes = await this.#deps.store.sizesOf(fields.map((name) => editionOf(name, version)));
    const sizeOf = new Map(sizes.map((size) => [size.field, size]));
    const imported = { imported_at: this.#deps.clock().toISOString(), imported_by: actor };
    const facts = declared.map((fact): StoredFact => {
      const [earlier, size] = [storedBefore.get(fact.name), sizeOf.get(fact.name)];
      if (size)
        return { ...fact, ...checkedSize(fact, size), edition: editionOf(fact.name, version), ...imported };
      // Without new rows it is stored already; another object is another declaration.
      const isSame = JSON.stringify({ ...earlier, ...fact }) === JSON.stringify(earlier);
      return isSame ? earlier! : { ...earlier!, ...fact, ...imported };
    });
    const rows = facts.reduce((sum, fact) => sum + fact.rows, 0);
    if (rows > MAX_ROWS)
      throw rejected(`all facts may have at most ${MAX_ROWS} values, and would have ${rows}`);
    return { version, facts };
  }
}

/** How many rows each field gets, for those that get any. Rows of fields that are not among the kept facts are all new. */
async function addedTo(kept: readonly StoredFact[], staged: StagedFacts): Promise<Map<string, number>> {
  const added = new Map<string, number>();
  for (const field of await staged.fields()) {
    const { edition = '' } = kept.find(({ name }) => name === field) ?? {};
    if (edition !== '') await staged.refuseChangesOfThePast(field, edition);
    const rows = await staged.added(field, edition);
    if (rows > 0) added.set(field, rows);
  }
  return added;
}

async function* rowsIn(
  bytes: AsyncIterable<Buffer>,
  rows: FactRows,
  progress: Progress,
  signal: AbortSignal,
): AsyncGenerator<FactRow[]> {
  let read = 0;
  for await (const some of bytes) {
    signal.throwIfAborted();
    read += some.length;
    if (read > MAX_FILE_BYTES) throw rejected(`the file may have at most ${MAX_FILE_BYTES / 1_048_576} MiB`);
    const next = rows.next(some);
    progress.rowsRead += next.length;
    yield next;
  }
  const last = rows.end();
  progress.rowsRead += last.length;
  yield last;
}

function refuseSource(source: string): void {
  const isTooLong = source.trim() === '' || source.length > MAX_SOURCE_LENGTH;
  const msg = `must have 1 to ${MAX_SOURCE_LENGTH} characters`;
  const loc = ['header', 'source'];
  refuse(isTooLong ? [{ loc, msg, type: 'value_error', input: source }] : [], notPlain(loc, source));
}

/** A field has values of one type, and is known only with a value. */
function refuseEmptyAndRetyped(
  declared: readonly DeclaredFact[],
  before: FactVersion,
  { added, replaces }: { added: ReadonlyMap<string, number>; replaces: boolean },
): void {
  for (const { name, type } of declared) {
    const earlier = before.facts.find((fact) => fact.name === name);
    const isNew = added.has(name);
    if (!earlier && !isNew) throw rejected(`the field ${name} is declared, and the file has no value of it`);
    if (earlier && earlier.type !== type && !(replaces && isNew))
      throw rejected(
        `the values of ${name} are of type ${earlier.type}; replace all of them to make it ${type}`,
      );
  }
}

function checkedSize({ name, type }: DeclaredFact, { field: _, values, ...size }: FactSize) {
  if (size.rows > MAX_ROWS_OF_FACT)
    throw rejected(`${name} would have ${size.rows} values, and may have at most ${MAX_ROWS_OF_FACT}`);
  if (type === 'text' && values > MAX_TEXTS_OF_FACT)
    throw rejected(`${name} would have ${values} different texts, and may have at most ${MAX_TEXTS_OF_FACT}`);
  return size;
}

function rejected(what: string): ServiceError {
  return new ServiceError('import_rejected', `Nothing was imported: ${what}.`);
}

function toFact({ label, imported_at, ...fact }: StoredFact): Fact {
  const { name, type, unit, source, rows, tickers, known_from, known_until, imported_by } = fact;
  const sizes = { rows, tickers, known_from, known_until };
  return {
    name,
    type,
    unit,
    label: label.en,
    source,
    ...sizes,
    imported_at: new Date(imported_at),
    imported_by,
  };
}
