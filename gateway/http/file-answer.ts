import { hash } from 'node:crypto';

/** A file as an answer. */
export class FileAnswer {
  readonly bytes: Buffer;
  /** Letters, digits, dots and underscores only. */
  readonly fileName: string;
  /** The version it was made from. */
  readonly datasetVersion: string;

  constructor(file: { bytes: Buffer; fileName: string; datasetVersion: string }) {
    this.bytes = file.bytes;
    this.fileName = file.fileName;
    this.datasetVersion = file.datasetVersion;
  }

  get sha256(): string {
    return hash('sha256', this.bytes, 'hex');
  }
}
