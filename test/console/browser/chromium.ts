import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { chromium, type Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { REPOSITORY } from '#support/repository.ts';

const PACKAGE = path.join(REPOSITORY, 'node_modules/@sparticuz/chromium');
const UNPACKED = path.join(REPOSITORY, 'node_modules/.cache/chromium');
/** Unpacking 67 MB takes seconds; every browser test waits for it. */
const UNPACK_WITHIN_MS = 180_000;

/** Gives a test file one browser. Call at the top level of the file. */
export function ownBrowser(): { readonly current: Browser } {
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await launch();
  }, UNPACK_WITHIN_MS);
  afterAll(() => browser?.close());
  return {
    get current() {
      return browser!;
    },
  };
}

/** The Chromium that CHROMIUM names, otherwise the one that is installed with the packages. */
async function launch(): Promise<Browser> {
  // Containers rarely have the rights that the sandbox needs, and these pages are the project’s own.
  const args = ['--no-sandbox'];
  const own = process.env['CHROMIUM'];
  if (own) return chromium.launch({ executablePath: own, args });
  const folder = await unpacked();
  const env = { ...process.env, FONTCONFIG_FILE: fontsFile(folder) } as Record<string, string>;
  return chromium.launch({ executablePath: path.join(folder, 'chromium'), args, env });
}

/** Names the fonts that come with Chromium, because a machine without a desktop has none. */
const fontsFile = (folder: string) => path.join(folder, 'fonts.conf');

/** The folder with the packaged Chromium. The first process to need it unpacks it, for all later test runs too. */
async function unpacked(): Promise<string> {
  const { version } = JSON.parse(await readFile(path.join(PACKAGE, 'package.json'), 'utf8')) as {
    version: string;
  };
  const folder = path.join(UNPACKED, version);
  if (existsSync(folder)) return folder;
  await mkdir(UNPACKED, { recursive: true });
  const unfinished = await mkdtemp(path.join(UNPACKED, 'unfinished-'));
  // The package always unpacks into the system's temporary folder.
  const unpack = "await (await import('@sparticuz/chromium')).default.executablePath()";
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', unpack], {
    cwd: REPOSITORY,
    env: { ...process.env, TMPDIR: unfinished },
  });
  // Without a font that it can find, this Chromium crashes when it draws a form.
  await writeFile(
    fontsFile(unfinished),
    `<fontconfig><dir>${folder}/fonts</dir><cachedir>${folder}/fonts-cache</cachedir></fontconfig>\n`,
  );
  try {
    await rename(unfinished, folder);
  } catch (error) {
    // Another test file was faster.
    if (!existsSync(folder)) throw error;
    await rm(unfinished, { recursive: true });
  }
  return folder;
}
