import { invalidRequest } from '#foundation/errors/invalid-request.ts';

/** What is at a path, and the parts of the path that its template names. */
interface Found<T> {
  entry: T;
  params: Record<string, string>;
}

interface Template<T> {
  steps: string[];
  entry: T;
}

/** Entries by path, as templates of the OpenAPI document: `/api/v1/jobs/{job_id}`. Of templates that fit a path, the first counts. */
export class RouteTable<T> {
  /** By number of steps. */
  readonly #templates: Template<T>[][] = [];

  constructor(entries: Iterable<[path: string, T]>) {
    for (const [path, entry] of entries) {
      const steps = path.split('/');
      (this.#templates[steps.length] ??= []).push({ steps, entry });
    }
  }

  /**
   * A slash at the end makes no difference.
   * @throws ServiceError if a named part is not valid percent-encoding
   */
  at(path: string): Found<T> | undefined {
    const steps = path.split('/');
    if (steps.at(-1) === '') steps.pop();
    const found = this.#templates[steps.length]?.find((template) => fits(template.steps, steps));
    return found && { entry: found.entry, params: paramsOf(found.steps, steps) };
  }
}

function fits(template: string[], steps: string[]): boolean {
  return template.every((step, i) => (isNamed(step) ? steps[i] !== '' : step === steps[i]));
}

function paramsOf(template: string[], steps: string[]): Record<string, string> {
  const params: Record<string, string> = {};
  for (const [i, step] of template.entries())
    if (isNamed(step)) params[step.slice(1, -1)] = decoded(steps[i]!);
  return params;
}

function isNamed(step: string): boolean {
  return step.startsWith('{');
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    throw invalidRequest([{ loc: ['path'], msg: 'is not valid percent-encoding', type: 'value_error' }]);
  }
}
