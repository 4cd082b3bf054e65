/** A file for the importer, in a format that it reads. */
export interface DataFile {
  /** With its extension, by which the importer recognises the format. */
  path: string;
  bytes: Buffer;
}

export interface Delivery {
  bytes: number;
  rows: number;
  /** What was noticed, in words. */
  findings: string[];
  /**
   * SHA-256 of the content without its dates. Two days with the same content are one day that the source repeats. Empty if
   * days may well be equal.
   */
  digest: string;
  files: DataFile[];
}

/** What a source is asked for: a trading day (YYYY-MM-DD), or the name of a file in a folder. */
export type Subject = string;

export interface Delivered {
  subject: Subject;
  delivery: Delivery;
  /** How it differs from what the source last brought for a subject that is served. Absent if it is new. */
  comparison?: 'corrected' | 'same' | undefined;
}
