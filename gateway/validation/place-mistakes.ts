import type { TObject } from 'typebox';
import { ServiceError, type FieldError } from '#shared/service-error.ts';
import type { DeclaredRoute } from '../routing/route.ts';

/** A service names the field alone; a client needs to know in which part of its request it sent it. */
export async function placingMistakes<T>(route: DeclaredRoute, work: () => T): Promise<Awaited<T>> {
  try {
    return await work();
  } catch (thrown) {
    if (!(thrown instanceof ServiceError) || thrown.detail.length === 0) throw thrown;
    const detail = thrown.detail.map((mistake) => placed(route, mistake));
    throw new ServiceError(thrown.code, thrown.message, { detail, cause: thrown.cause });
  }
}

function placed({ params, query, body, fieldNames }: DeclaredRoute, mistake: FieldError): FieldError {
  const parts = { path: params, query, body: body as TObject | undefined };
  const [field = '', ...within] = mistake.loc;
  const name = fieldNames?.[field] ?? field;
  const part = Object.entries(parts).find(([, schema]) => Object.hasOwn(schema?.properties ?? {}, name));
  return part ? { ...mistake, loc: [part[0], name, ...within] } : mistake;
}
