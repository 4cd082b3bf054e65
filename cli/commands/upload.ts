import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { pack } from 'tar-stream';
import { CHUNK_BYTES, uploadMessages, type UploadPart } from '#shared/data-format/upload-messages.ts';
import { EXIT } from '#platform/process/exit-codes.ts';
import { terminalText } from '#foundation/text/terminal-text.ts';
import { CommandFailure } from '../terminal/command-failure.ts';

/** Uploads a file, or a folder that is packed as a tar on the fly. */
export class Upload {
  readonly #source: string;
  /** The data files of a folder, sorted by name; undefined for a single file. */
  readonly #folderFiles: string[] | undefined;
  #failure: CommandFailure | undefined;

  private constructor(source: string, folderFiles: string[] | undefined, isRepeatable: boolean) {
    this.isRepeatable = isRepeatable;
    this.#source = source;
    this.#folderFiles = folderFiles;
  }

  /** @throws CommandFailure when there is nothing to send */
  static async of(source: string): Promise<Upload> {
    const found = await stat(source).catch(() => undefined);
    if (!found) throw new CommandFailure(EXIT.usage, `there is no file or folder ${source}`);
    const files = found.isDirectory() ? await dataFiles(source) : undefined;
    if (files?.length === 0)
      throw new CommandFailure(EXIT.usage, `there is no CSV or JSON file in ${source}`);
    return new Upload(source, files, found.isDirectory() || found.isFile());
  }

  /** Whether the same bytes can be sent twice. A pipe cannot be read again. */
  readonly isRepeatable: boolean;

  /** Why reading failed. The service only sees an upload that was cut short. */
  get failure(): CommandFailure | undefined {
    return this.#failure;
  }

  /** SHA-256 of all bytes in hex. */
  async sha256(): Promise<string> {
    const hash = createHash('sha256');
    for await (const bytes of this.#bytes()) hash.update(bytes);
    return hash.digest('hex');
  }

  /** The header, the chunks, and the hash, which shows the service that it received everything. */
  async *messages<Header>(
    request: Header,
  ): AsyncGenerator<{ part: UploadPart<Header & { source: string }> }> {
    // A file may have any name, but the service refuses a source with characters that act on a terminal.
    const source = terminalText(path.basename(path.resolve(this.#source)));
    yield* uploadMessages({ source, ...request }, this.#bytes());
  }

  async *#bytes(): AsyncGenerator<Buffer> {
    try {
      yield* this.#folderFiles ? packed(this.#source, this.#folderFiles) : fileBytes(this.#source);
    } catch (error) {
      this.#failure = unreadable(this.#source, error);
      throw this.#failure;
    }
  }
}

/** @throws CommandFailure unless it can be read */
export function textOf(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    throw unreadable(file, error);
  });
}

function unreadable(file: string, error: unknown): CommandFailure {
  return new CommandFailure(EXIT.usage, `${file} cannot be read: ${(error as Error).message}`);
}

const DATA_FILE = /\.(csv|json|jsonl|ndjson)(\.gz)?$/i;

/** Skips hidden files and folders: they are never data, and macOS adds a hidden attribute file beside each file. */
async function dataFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && DATA_FILE.test(entry.name))
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .filter((file) => !file.split(path.sep).some((part) => part.startsWith('.')))
    .toSorted();
}

function fileBytes(file: string): AsyncIterable<Buffer> {
  return createReadStream(file, { highWaterMark: CHUNK_BYTES });
}

/** A tar without owners and times, so that the same files always give the same bytes and fingerprint. */
function packed(folder: string, files: string[]): AsyncIterable<Buffer> {
  const archive = pack();
  const fill = async () => {
    for (const name of files) {
      const file = path.join(folder, name);
      const { size } = await stat(file);
      await pipeline(fileBytes(file), archive.entry({ name, size, mtime: new Date(0) }));
    }
    archive.finalize();
  };
  fill().catch((error: unknown) => archive.destroy(error as Error));
  return archive as AsyncIterable<Buffer>;
}
