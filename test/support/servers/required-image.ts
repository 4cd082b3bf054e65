import { createInterface } from 'node:readline';
import { inTime } from '#platform/process/waiting.ts';

/** The part of an engine's client that fetches images. */
interface Engine {
  getImage(name: string): { inspect(): Promise<unknown> };
  pull(name: string): Promise<NodeJS.ReadableStream>;
}

/** A registry that does not begin to send an image within this time counts as not having it: engines try for minutes. */
const BEGINS_WITHIN_MS = 10_000;

/**
 * Fetches an image that the engine does not have.
 * @throws Error that names the image if it cannot be fetched
 */
export async function requireImage(
  engine: Engine,
  image: string,
  beginsWithinMs = BEGINS_WITHIN_MS,
): Promise<void> {
  const isHere = await engine
    .getImage(image)
    .inspect()
    .then(
      () => true,
      () => false,
    );
  if (isHere) return;
  try {
    const reports = reportsOf(engine, image);
    const silent = () => new Error(`its registry sent nothing within ${beginsWithinMs / 1_000} s`);
    let failure = (await inTime(reports.next(), beginsWithinMs, silent)).value?.error;
    for await (const { error } of reports) failure ??= error;
    if (failure !== undefined) throw new Error(failure);
  } catch (error) {
    const why = (error as Error).message;
    throw new Error(`The image ${image} is not here, and the engine cannot fetch it: ${why}`, {
      cause: error,
    });
  }
}

interface Report {
  error?: string;
}

/** What Podman reports before it asks the registry. */
const BEFORE_ASKING = 'Trying to pull';

/** The reports of a pull, one JSON object a line. */
async function* reportsOf(engine: Engine, image: string): AsyncGenerator<Report, undefined> {
  const lines = createInterface({ input: await engine.pull(image) });
  for await (const line of lines)
    if (line.trim() !== '' && !line.includes(BEFORE_ASKING)) yield JSON.parse(line) as Report;
}
