import { Router } from 'express';
import { atFirstRequest } from '../responses/shared-content.ts';
import { DOCUMENTS_ROOT } from './documents.ts';

/** The pages below `/docs`. Their code, with its libraries, is loaded at the first request, so that no start waits for it. */
export function documentsAtFirstRequest(): Router {
  const router = Router({ caseSensitive: true });
  router.get(
    [DOCUMENTS_ROOT, `${DOCUMENTS_ROOT}.md`, `${DOCUMENTS_ROOT}/*rest`],
    atFirstRequest(async () => (await import('./document-pages.ts')).documentPages()),
  );
  return router;
}
