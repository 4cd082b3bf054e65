import type { Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import { ServiceError } from '#shared/service-error.ts';
import type { ImportSource } from './import-source.ts';
import type { StagedContents } from './staging.ts';

/**
 * What the staged files are added to: the newest version when they are meant to be, or have no bars of their own.
 * @throws ServiceError import_rejected when there is nothing to add, or nothing to add it to
 */
export function chooseBase(
  { kind, adds, files }: ImportSource,
  contents: StagedContents,
  newest: Dataset | undefined,
): Dataset | undefined {
  if (files && Object.values(contents).every((rows) => rows === 0)) {
    throw rejected('The upload has no bars, nor anything else that a dataset is made of.');
  }
  if (!adds && contents.bars > 0) return undefined;
  if (!newest) {
    throw rejected(
      adds
        ? 'There is no dataset yet that the upload could be added to. Import a whole one first.'
        : 'The upload has no bars, and there is no dataset yet that it could be added to.',
    );
  }
  if (newest.kind === kind) return newest;
  throw rejected(
    `The upload is called ${kind} and cannot be added to ${newest.version}, which is ${newest.kind}.`,
  );
}

function rejected(message: string): ServiceError {
  return new ServiceError('import_rejected', message);
}
