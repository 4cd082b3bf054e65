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
