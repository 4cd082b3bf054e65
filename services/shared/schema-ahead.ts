/** Tables were migrated by a newer version: this one could not read what it writes there. */
export class SchemaAheadError extends Error {
  override readonly name = 'SchemaAheadError';

  /** @param where as in `schema keys` */
  constructor(where: string, unknown: string[]) {
    super(
      `${where} is ahead of this version of Saring, which does not know ${unknown.join(', ')}: ` +
        'start the newer version again, or restore a backup of before its start',
    );
  }
}
