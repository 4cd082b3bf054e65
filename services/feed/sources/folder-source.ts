import type { ImportOutcome } from '#proto/saring/market_data/v1/datasets.ts';
import { MAX_DUE } from './due-days.ts';
import { DeclaredSource, type DeclaredSourceOptions } from './declared-source.ts';
import type { DropFolder } from '../origins/drop-folder.ts';
import { unpacked } from '../origins/unpacked.ts';
import type { DataFile, Delivered, Delivery } from '../deliveries/delivery.ts';
import type { DueRequest, Publication, Source } from './source.ts';

interface FolderSourceOptions extends DeclaredSourceOptions {
  folder: DropFolder;
}

/** A source whose files are dropped into a folder, in any order and under any name. */
export class FolderSource extends DeclaredSource<FolderSourceOptions> implements Source {
  readonly hasDays = false;
  /** A dropped file counts after two looks. */
  readonly lookEveryMs = 5_000;
  /** Digests of content that came before, so that each is looked up once. */
  readonly #brought = new Set<string>();

  constructor(options: FolderSourceOptions) {
    super(options, options.folder.path);
  }

  sameSince(name: string): Date | undefined {
    return this.options.folder.sameSince(name);
  }

  /**
   * Names of settled files with content that never came before, in the order in which they were last changed. Files that failed
   * come after all others, because there may be any number of them. One that rests is named, so that its reason stays known.
   */
  async due({ market, now, hasBrought, hasFailed, isResting }: DueRequest): Promise<string[]> {
    const { folder } = this.options;
    const settled = await folder.settled(now);
    this.requireRealMarket(market);
    const [fresh, failed, resting]: [string[], string[], string[]] = [[], [], []];
    const digests = new Set<string>();
    for (const name of settled) {
      const digest = await folder.digest(name);
      if (digest !== undefined) {
        if (digests.has(digest) || (await this.#isOld(digest, hasBrought))) continue;
        digests.add(digest);
      }
      (isResting(name) ? resting : hasFailed(name) ? failed : fresh).push(name);
      if (fresh.length === MAX_DUE) break;
    }
    return [...[...fresh, ...failed].slice(0, MAX_DUE), ...resting.slice(0, 1)];
  }

  async fetch(name: string, signal: AbortSignal): Promise<Delivery> {
    const { folder, reader, maxBytes } = this.options;
    const received = await folder.get(name, signal);
    const reading = await reader.read(unpacked(received, maxBytes), undefined);
    return { ...reading, bytes: received.bytes.length, digest: received.digest };
  }

  /** Where two files have rows of the same stock and day, those of the later file count: the importer keeps the first by name. */
  async publish(deliveries: Delivered[], to: Publication): Promise<ImportOutcome> {
    const digits = String(deliveries.length).length;
    const newestFirst = deliveries.toReversed();
    const files = newestFirst.flatMap(({ delivery }, i) => {
      const folder = String(i + 1).padStart(digits, '0');
      return delivery.files.map(({ path, bytes }): DataFile => ({ path: `${folder}/${path}`, bytes }));
    });
    return this.publishFiles(deliveries, files, to);
  }

  async #isOld(digest: string, hasBrought: DueRequest['hasBrought']): Promise<boolean> {
    if (this.#brought.has(digest)) return true;
    const isOld = await hasBrought(digest);
    if (isOld) this.#brought.add(digest);
    return isOld;
  }
}
