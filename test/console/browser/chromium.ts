import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';
import { afterAll, beforeAll, describe } from 'vitest';

/** Debian's Chromium; CHROMIUM names another one. */
const PROGRAM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** Tests in a real browser; skipped where it is not installed (`apt-get install chromium`). */
export const describeInChromium = describe.skipIf(!existsSync(PROGRAM));

/** Gives a test file one browser. Call at the top level of the file. */
export function ownBrowser(): { readonly current: Browser } {
  let browser: Browser | undefined;
  beforeAll(async () => {
    if (existsSync(PROGRAM))
      // Containers rarely have the rights that the sandbox needs, and these pages are the project’s own.
      browser = await chromium.launch({ executablePath: PROGRAM, args: ['--no-sandbox'] });
  });
  afterAll(() => browser?.close());
  return {
    get current() {
      return browser!;
    },
  };
}
