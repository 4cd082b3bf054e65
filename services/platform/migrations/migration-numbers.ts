/** A newer version has migrated the tables, so this version could not read what the newer one writes there. */
export class SchemaAheadError extends Error {
  override readonly name = 'SchemaAheadError';

  /** @param where for example `schema keys` */
  constructor(where: string, unknown: string[]) {
    super(
      `${where} is ahead of this version of Saring, which does not know ${unknown.join(', ')}: ` +
        'start the newer version again, or restore a backup from before its first start',
    );
  }
}

/**
 * Migrations are numbered: `012_retention`. The first one of a list makes the whole schema and has the number of the last of
 * those that were squashed into it, so a database that has run that one has run it.
 */
function numberOf(name: string): number {
  return Number.parseInt(name, 10);
}

/** Names that do not belong to the list, nor to what was squashed into its first migration. */
export function unknownMigrations(applied: readonly string[], known: readonly string[]): string[] {
  const first = numberOf(known[0] ?? '0');
  return applied.filter((name) => numberOf(name) > first && !known.includes(name));
}

/**
 * The migrations of the list that a database lacks.
 * @param where for example `schema keys`
 * @throws SchemaAheadError when a newer version has already migrated it
 * @throws Error when it has run some of the squashed migrations and not all
 */
export function missingMigrations(
  where: string,
  applied: readonly string[],
  known: readonly string[],
): string[] {
  const unknown = unknownMigrations(applied, known).toSorted();
  if (unknown.length > 0) throw new SchemaAheadError(where, unknown);
  const done = new Set(applied.map(numberOf));
  const [first] = known;
  if (first !== undefined && done.size > 0 && !done.has(numberOf(first))) {
    throw new Error(
      `${where} is too old: it ends with ${applied.toSorted().at(-1)}, and this version can upgrade it from ${first} on. ` +
        'Start an earlier version of Saring once, or use an empty database',
    );
  }
  return known.filter((name) => !done.has(numberOf(name)));
}
