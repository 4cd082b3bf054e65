import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';
import { afterAll, beforeAll, describe } from 'vitest';

/** Debian’s; another one is named by CHROMIUM. */
const PROGRAM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** Tests in a real browser; skipped where there is none (`apt-get install chromium`). */
export const describeInChromium = describe.skipIf(!existsSync(PROGRAM));

/** One browser for a test file. Call at the top level of the file. */
export function ownBrowser(): { readonly current: Browser } {
  let browser: Browser | undefined;
  beforeAll(async () => {
    if (existsSync(PROGRAM))
      // Containers seldom have the rights that its sandbox needs, and the pages here are the project’s own.
      browser = await chromium.launch({ executablePath: PROGRAM, args: ['--no-sandbox'] });
  });
  afterAll(() => browser?.close());
  return {
    get current() {
      return browser!;
    },
  };
}
