/** A file for the importer, in a format that it reads. */
export interface DataFile {
  /** With its extension, by which the importer recognises the format. */
  path: string;
  bytes: Buffer;
}
